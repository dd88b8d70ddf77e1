# The public names, spelt once: type checkers read them here, and so does Python.
from boxsel.errors import InvalidStatementError as InvalidStatementError
from boxsel.logic.axioms import Axiom as Axiom
from boxsel.logic.axioms import ConceptAssertion as ConceptAssertion
from boxsel.logic.axioms import Conditional as Conditional
from boxsel.logic.axioms import Disjointness as Disjointness
from boxsel.logic.axioms import Domain as Domain
from boxsel.logic.axioms import Equivalence as Equivalence
from boxsel.logic.axioms import Inclusion as Inclusion
from boxsel.logic.axioms import Range as Range
from boxsel.logic.axioms import RoleAssertion as RoleAssertion
from boxsel.logic.axioms import RoleInclusion as RoleInclusion
from boxsel.logic.booleans import AtLeast as AtLeast
from boxsel.logic.booleans import Not as Not
from boxsel.logic.booleans import Or as Or
from boxsel.logic.concepts import BOTTOM as BOTTOM
from boxsel.logic.concepts import TOP as TOP
from boxsel.logic.concepts import And as And
from boxsel.logic.concepts import Bottom as Bottom
from boxsel.logic.concepts import Concept as Concept
from boxsel.logic.concepts import Exists as Exists
from boxsel.logic.concepts import Individual as Individual
from boxsel.logic.concepts import Name as Name
from boxsel.logic.concepts import Role as Role
from boxsel.logic.concepts import Top as Top
from boxsel.logic.concepts import conjunction as conjunction
from boxsel.logic.kb import KB as KB
from boxsel.logic.kb import Dropped as Dropped
from boxsel.logic.kb import Signature as Signature
from boxsel.logic.names import Prefixes as Prefixes
from boxsel.logic.proportions import Count as Count
from boxsel.logic.proportions import Inner as Inner
from boxsel.logic.proportions import Interval as Interval
from boxsel.logic.statements import Note as Note
from boxsel.logic.statements import Query as Query
from boxsel.logic.statements import Statement as Statement

__all__: list[str]
