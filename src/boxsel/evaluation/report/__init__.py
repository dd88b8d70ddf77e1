"""The report: tables and figures from records, each number beside the paper's.

Records become means over seeds (`aggregate`), these become tables and charts as values (`parts`),
one file for each family of them, and the values become CSV, Markdown and HTML.
"""

from boxsel.evaluation.report.parts import RunInfo, SplitSize
from boxsel.evaluation.report.writing import report_files, write_report

__all__ = ["RunInfo", "SplitSize", "report_files", "write_report"]
