# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel import build as build
from boxsel import evaluation as evaluation
from boxsel import examples as examples
from boxsel import logic as logic
from boxsel import models as models
from boxsel import results as results
from boxsel import reversals as reversals
from boxsel import sampling as sampling
from boxsel import schemas as schemas
from boxsel._version import __version__ as __version__
from boxsel.advice.measuring import next_measurements as next_measurements
from boxsel.answer.answer import Answer as Answer
from boxsel.answer.ask import Asker as Asker
from boxsel.answer.ask import ask as ask
from boxsel.answer.assumptions import assumed as assumed
from boxsel.answer.figure import plot_answers as plot_answers
from boxsel.answer.figure import plot_check as plot_check
from boxsel.answer.many import answered_table as answered_table
from boxsel.answer.many import ask_many as ask_many
from boxsel.answer.sensitivity import sensitivity as sensitivity
from boxsel.checker.verify import verify as verify
from boxsel.comparison.compare import compare as compare
from boxsel.difference import difference
from boxsel.errors import BoxselError as BoxselError
from boxsel.errors import ReadError as ReadError
from boxsel.errors import WriteError as WriteError
from boxsel.evaluation.evaluate import evaluate as evaluate
from boxsel.exact.bounds import Bounds as Bounds
from boxsel.exact.diagnosis.many import check_many as check_many
from boxsel.exact.diagnosis.many import repair_many as repair_many
from boxsel.exact.reasoner import Reasoner as Reasoner
from boxsel.formats.owl.annotating import annotate as annotate
from boxsel.formats.registry import read as read
from boxsel.formats.registry import write as write
from boxsel.logic.axioms import conditional as conditional
from boxsel.logic.axioms import disjoint as disjoint
from boxsel.logic.concepts import TOP as TOP
from boxsel.logic.concepts import Name as Name
from boxsel.logic.concepts import Role as Role
from boxsel.logic.concepts import names as names
from boxsel.logic.concepts import roles as roles
from boxsel.logic.kb import KB as KB
from boxsel.logic.proportions import Count as Count
from boxsel.logic.proportions import Interval as Interval
from boxsel.logic.statements import Query as Query
from boxsel.machine.budget import Budget as Budget
from boxsel.models.fit import fit as fit
from boxsel.models.loading import load
from boxsel.models.model import Model as Model
from boxsel.models.settings import Settings as Settings
from boxsel.normal.normalize import normalize as normalize
from boxsel.normal.saturation import saturate as saturate
from boxsel.people.sample import sample as sample
from boxsel.precision import read_rounded as read_rounded
from boxsel.reversals.simpson import simpson as simpson
from boxsel.rules.derivation import propagate as propagate
from boxsel.sampling import Reading as Reading
from boxsel.sampling import read_counts as read_counts
from boxsel.summary import summarize as summarize
from boxsel.syntax.parser import parse_kb

__all__: list[str]
diff = difference
load_model = load
parse = parse_kb
