# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel.models import plots as plots
from boxsel.models.emptiness import NoModelError as NoModelError
from boxsel.models.estimate import Estimate as Estimate
from boxsel.models.model import Model as Model
from boxsel.models.resumable import StoppedError as StoppedError
from boxsel.models.resumable import fit_into as fit_into
from boxsel.models.settings import Settings as Settings
from boxsel.models.violations import Scores as Scores
from boxsel.models.violations import Violations as Violations

__all__: list[str]
