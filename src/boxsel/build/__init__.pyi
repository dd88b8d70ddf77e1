# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel.build.built import Built as Built
from boxsel.build.graphs.building import Content as Content
from boxsel.build.graphs.building import build_graph
from boxsel.build.graphs.choice import Choice as Choice
from boxsel.build.graphs.inputs import Inputs as Inputs
from boxsel.build.graphs.report import GraphReport as GraphReport
from boxsel.build.graphs.running import Running as Running
from boxsel.build.mined_rules.building import RulesReport as RulesReport
from boxsel.build.mined_rules.building import build_rules
from boxsel.build.phenotypes.building import build_hpo
from boxsel.build.phenotypes.report import HpoReport as HpoReport
from boxsel.build.tables.building import TableReport as TableReport
from boxsel.build.tables.building import build_table

__all__: list[str]
graph = build_graph
hpo = build_hpo
rules = build_rules
table = build_table
