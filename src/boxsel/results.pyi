# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel.advice.hints import Hint as Hint
from boxsel.advice.measuring import Advice as Advice
from boxsel.advice.measuring import Measurement as Measurement
from boxsel.answer.answer import Answer as Answer
from boxsel.answer.answer import Estimated as Estimated
from boxsel.answer.answer import Outer as Outer
from boxsel.answer.sensitivity import Influence as Influence
from boxsel.answer.sensitivity import Sensitivity as Sensitivity
from boxsel.checker.verify import Verification as Verification
from boxsel.comparison.comparison import Comparison as Comparison
from boxsel.comparison.comparison import Range as Range
from boxsel.difference import Difference as Difference
from boxsel.exact.bounds import Bounds as Bounds
from boxsel.exact.diagnosis.check import Check as Check
from boxsel.exact.diagnosis.explanation import Explanation as Explanation
from boxsel.exact.diagnosis.repair import Repair as Repair
from boxsel.formats.owl.annotating import Annotated as Annotated
from boxsel.logic.proportions import Inner as Inner
from boxsel.models.estimate import Estimate as Estimate
from boxsel.normal.normalize import NormalForm as NormalForm
from boxsel.normal.saturation import Saturation as Saturation
from boxsel.people.sample import Member as Member
from boxsel.people.sample import Sample as Sample
from boxsel.rules.derivation import Derivation as Derivation
from boxsel.rules.figures import Rule as Rule
from boxsel.sampling import Coverage as Coverage
from boxsel.summary import Summary as Summary

__all__: list[str]
