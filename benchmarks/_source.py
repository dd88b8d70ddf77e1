"""Import this first to use the package from the checkout, where it is not installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("boxsel") is None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
