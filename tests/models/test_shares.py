"""Axioms as shares: the same meaning wherever roles are functions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Disjointness,
    Domain,
    Range,
    RoleAssertion,
    RoleInclusion,
    conditional,
)
from boxsel.logic.concepts import BOTTOM, TOP, Exists, Individual, Role, names
from boxsel.logic.proportions import Interval
from boxsel.models.shares import ONE, ZERO, RoleBox, Share, shares_of
from tests.interpretations import Interpretation
from tests.models.functional import (
    concept_axioms,
    interpretations,
    role_axioms,
    role_chains,
    with_unions,
)

A, B, C, D = names("A B C D")
r, s, t = Role("r"), Role("s"), Role("t")
axiom_lists = st.one_of(
    st.lists(st.one_of(concept_axioms(), role_axioms), min_size=1, max_size=6),
    role_chains(),
)


def holds(share: Share, interpretation: Interpretation) -> bool:
    found = interpretation.share(share.head, share.body)
    return found is None or found in share.bounds


def all_shares(axioms: list[Axiom]) -> list[Share]:
    roles = RoleBox.of(axioms)
    return [share for axiom in axioms for share in shares_of(axiom, roles)]


@given(axiom_lists, interpretations())
def test_shares_hold_where_their_axioms_do(
    axioms: list[Axiom], interpretation: Interpretation
) -> None:
    true = [axiom for axiom in axioms if interpretation.satisfies(axiom)]
    assert all(holds(share, interpretation) for share in all_shares(true))


@given(axiom_lists, interpretations())
def test_axioms_hold_where_their_shares_do(
    axioms: list[Axiom], interpretation: Interpretation
) -> None:
    # Fewer axioms have fewer shares, so what is left still holds.
    roles = RoleBox.of(axioms)
    kept = [
        axiom
        for axiom in axioms
        if all(holds(share, interpretation) for share in shares_of(axiom, roles))
    ]
    # Links say nothing about shares.
    told = [axiom for axiom in kept if not isinstance(axiom, RoleAssertion)]
    united = with_unions(interpretation, told)
    assert all(map(united.satisfies, told))


@given(concept_axioms(), interpretations())
def test_an_axiom_about_concepts_says_what_its_shares_say(
    axiom: Axiom, interpretation: Interpretation
) -> None:
    shares = all_shares([axiom])
    assert interpretation.satisfies(axiom) == all(holds(share, interpretation) for share in shares)


@given(axiom_lists)
def test_no_share_mentions_bottom(axioms: list[Axiom]) -> None:
    for head, body, *_ in all_shares(axioms):
        assert not head.mentions_bottom
        assert not body.mentions_bottom


def test_roles_read_as_unions_gain_nothing_along_a_chain() -> None:
    axioms: list[Axiom] = [RoleInclusion(r, s), RoleInclusion(s, t), t.some(C) <= D]
    assert Share(t.some(C), r.some(C), ONE) in all_shares(axioms)
    # A query may be about a concept that no axiom has.
    roles = RoleBox.of(axioms, [Exists(t, s.some(A))])
    shares = list(shares_of(RoleInclusion(r, s), roles))
    assert {Share(s.some(A), r.some(A), ONE), Share(t.some(s.some(A)), r.some(s.some(A)), ONE)} <= {
        *shares
    }


def test_a_range_is_one_of_the_roles_below_too() -> None:
    axioms: list[Axiom] = [Range(t, A), RoleInclusion(r, s), RoleInclusion(s, t)]
    found = set(shares_of(axioms[0], RoleBox.of(axioms)))
    assert found == {Share(role.some(A), role.some(TOP), ONE) for role in (r, s, t)}


def test_what_is_below_and_above_in_a_cycle() -> None:
    box = RoleBox.of([RoleInclusion(r, s), RoleInclusion(s, r), RoleInclusion(s, t)])
    assert box.below == {s: {r}, r: {s}, t: {r, s}}
    assert set(box.at_or_above(r)) == {r, s, t}
    assert box.at_or_above(t) == (t,)


def test_shares_by_kind() -> None:
    def said(axiom: Axiom) -> list[Share]:
        return list(shares_of(axiom, RoleBox.of([axiom])))

    assert said(A & B & C <= BOTTOM) == [Share(C, A & B, ZERO, apart=True)]
    assert said(A <= BOTTOM) == [Share(A, TOP, ZERO, apart=True)]
    assert said(A <= B & r.some(C)) == [Share(B, A, ONE), Share(r.some(C), A, ONE)]
    assert said(Domain(r, A & B)) == [Share(A, r.some(TOP), ONE), Share(B, r.some(TOP), ONE)]
    assert said(Range(r, A)) == [Share(r.some(A), r.some(TOP), ONE)]
    assert said(Range(r, BOTTOM)) == [Share(r.some(TOP), TOP, ZERO, apart=True)]
    assert said(Disjointness(A, B)) == [Share(B, A, ZERO, apart=True)]
    zero = conditional(A, given=B, count=(0, 4))
    assert said(zero) == [Share(A, B, ZERO)], "the same, and no axiom with ⊥"
    assert said(ConceptAssertion(A, Individual("a"))) == []
    counted = conditional(A, given=B, count=(3, 4))
    assert said(counted) == [Share(A, B, Interval.point("3/4"))]
