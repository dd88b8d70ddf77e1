# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel.evaluation.evaluate import Evaluated as Evaluated
from boxsel.evaluation.records import Band as Band
from boxsel.evaluation.records import Cell as Cell
from boxsel.evaluation.records import Effort as Effort
from boxsel.evaluation.records import Quality as Quality
from boxsel.evaluation.records import Results as Results
from boxsel.evaluation.scopes import Choices as Choices

__all__: list[str]
