"""What tests of counting share: one Spark session, where Spark is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from boxsel.build.graphs.spark_engine import SparkEngine
from tests.build.graphs.graph_files import SMALL_FOR_SPARK


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkEngine]:
    """Spark on two cores of this machine."""
    pytest.importorskip("pyspark", reason="needs Spark: pip install 'boxsel[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    # Settings of the user's own, as a cluster has them.
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYSPARK_SUBMIT_ARGS", SMALL_FOR_SPARK)
        engine = SparkEngine("local[2]", tmp_path_factory.mktemp("spark"), memory=1_000_000_000)
    yield engine
    engine.close()
