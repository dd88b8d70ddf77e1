# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel.reversals.layout import Rate as Rate
from boxsel.reversals.simpson import KBReversal as KBReversal
from boxsel.reversals.table_reversals import TableReversals as TableReversals
from boxsel.reversals.tabulation import TableOptions as TableOptions
from boxsel.reversals.verdicts import Verdict as Verdict

__all__: list[str]
