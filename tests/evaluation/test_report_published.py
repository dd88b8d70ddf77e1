"""The paper's numbers as data, and that every slip is one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel import parse
from boxsel.evaluation import published as p
from boxsel.evaluation.metrics import measured
from boxsel.evaluation.report.paper import SLIPS

ALL = (*p.MAIN, *p.CONCEPTS, *p.ROLES, *p.REGULARISERS)
SENTENCES = {slip.key: slip.sentence for slip in SLIPS}


def row(rows: tuple[p.PublishedQuality, ...], kin: str, setting: str) -> p.PublishedQuality:
    (quality,) = (one for one in rows if one.kin == kin and one.setting == setting)
    return quality


def test_tables_have_all_their_rows() -> None:
    assert [len(rows) for rows in (p.MAIN, p.CONCEPTS, p.ROLES, p.REGULARISERS)] == [12, 6, 9, 12]
    assert len(p.SPLITS) == 12
    assert len(p.SENSITIVITY) == 9
    assert all(0 <= quality.soundness <= 1 for quality in ALL)


def test_the_chosen_method_is_the_same_in_all_tables_but_for_one_number() -> None:
    differing = []
    for kin in p.KINDS:
        main = row(p.MAIN, kin, "boxsel")
        for rows, setting in ((p.CONCEPTS, "boxes"), (p.ROLES, "affine"), (p.REGULARISERS, "both")):
            other = row(rows, kin, setting)
            for measure in ("soundness", "error", "gap"):
                if getattr(main, measure) != getattr(other, measure):
                    differing.append((kin, setting, measure))
    assert differing == [("Hybrid", "both", "error")]


intervals = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted)


@given(st.lists(st.tuples(intervals, intervals), min_size=1, max_size=9))
def test_error_and_gap_fix_the_predicted_width(
    pairs: list[tuple[list[float], list[float]]],
) -> None:
    true, predicted = (np.array(side) for side in zip(*pairs, strict=True))
    metrics = measured(true[:, 0], true[:, 1], predicted)
    assert 2 * metrics.error - metrics.gap == pytest.approx(
        metrics.guessed - metrics.width, abs=1e-9
    )
    assert metrics.error <= metrics.gap + 1e-12


def test_error_is_above_gap_where_the_slip_says() -> None:
    wrong = [(one.kin, one.setting) for one in ALL if one.error > one.gap]
    assert wrong == [("Hybrid", "random"), ("Hybrid", "kde"), ("Person", "none")]
    for quality in ALL:
        if quality.error > quality.gap:
            assert f"({quality.error:.3f} and {quality.gap:.3f})" in SENTENCES["error-above-gap"]


def test_implied_widths_are_below_zero_where_the_slips_say() -> None:
    # Three rounded numbers are in it, the error twice.
    rounding = 4 * 0.0005
    wrong = {
        (quality.kin, quality.setting): p.implied_width(quality)
        for quality in ALL
        if p.implied_width(quality) < -rounding
    }
    assert set(wrong) == {("Hybrid", "loc"), ("Hybrid", "vol"), ("Hybrid", "both")}
    assert f"−{-wrong['Hybrid', 'both']:.3f}" in SENTENCES["hybrid-soundness-error"]
    for setting in ("loc", "vol"):
        assert f"−{-wrong['Hybrid', setting]:.3f}" in SENTENCES["negative-widths"]
    assert f"{p.implied_width(row(p.MAIN, 'Hybrid', 'boxsel')):.3f}" in SENTENCES["hybrid-widths"]


def test_the_intervals_of_kde_are_too_wide() -> None:
    widths = [p.implied_width(row(p.MAIN, kin, "kde")) for kin in p.KINDS]
    assert all(f"{width:.3f}" in SENTENCES["kde-widths"] for width in widths)
    assert widths[-1] > 1


def test_the_knowledge_base_of_the_paradox_lacks_disjointness() -> None:
    printed = """
        (Admitted | DeptA and Woman)[0.80]
        (Admitted | DeptB and Woman)[0.90]
        (DeptA | Woman)[0.90]
        (DeptB | Woman)[0.10]
        (Admitted | DeptA and Man)[0.75]
        (Admitted | DeptB and Man)[0.85]
        (DeptA | Man)[0.10]
        (DeptB | Man)[0.90]
    """
    apart = parse(f"{printed}\n(DeptB | DeptA)[0]")
    for query, share in (("(Admitted | Woman)", "0.81"), ("(Admitted | Man)", "0.84")):
        open_, whole = parse(printed).bounds(query), apart.bounds(query)
        assert open_.lower is not None
        assert open_.upper is not None
        words = f"between {float(open_.lower):g} and {float(open_.upper):g}"
        assert words in SENTENCES["simpson"]
        assert whole.lower == whole.upper == Fraction(share)
        assert share in SENTENCES["simpson"]


def test_the_random_estimator_is_wider_than_random() -> None:
    for kin in p.KINDS:
        width = p.implied_width(row(p.MAIN, kin, "random"))
        assert width > 1 / 3 + 0.05
        assert f"{width:.3f}" in SENTENCES["random-widths"]


def test_country_has_the_widest_intervals_and_the_best_soundness() -> None:
    assert max(p.KINDS, key=p.true_width) == "Country"
    ours = {kin: row(p.MAIN, kin, "boxsel") for kin in p.KINDS}
    assert max(p.KINDS, key=lambda kin: ours[kin].soundness) == "Country"
    assert min(p.KINDS, key=lambda kin: ours[kin].error) == "Country"


def test_minutes_fit_if_epochs_are_exchanged() -> None:
    seconds = {runtime.kin: runtime.seconds_per_epoch for runtime in p.RUNTIME}
    minutes = {runtime.kin: runtime.minutes for runtime in p.RUNTIME}
    epochs = {hyperparameter.kin: hyperparameter.epochs for hyperparameter in p.HYPERPARAMETERS}
    fits = {kin: round(seconds[kin] * epochs[kin] / 60) == minutes[kin] for kin in p.KINDS}
    assert fits == {"Person": True, "Country": False, "Hybrid": False}
    epochs["Country"], epochs["Hybrid"] = epochs["Hybrid"], epochs["Country"]
    assert all(round(seconds[kin] * epochs[kin] / 60) == minutes[kin] for kin in p.KINDS)


def test_concepts_axioms_and_ratios_do_not_fit() -> None:
    for dataset in p.DATASETS:
        totals = {split.shape: split.total for split in p.SPLITS if split.kin == dataset.kin}
        assert f"{dataset.axioms:,}" in SENTENCES["axioms"]
        assert f"{sum(totals.values()):,}" in SENTENCES["axioms"]
        assert sum(totals.values()) != dataset.axioms
        ratios = "/".join(f"{total / sum(totals.values()):.2f}" for total in totals.values())
        assert ratios in SENTENCES["ratios"]
    implied = {"Person": 127, "Country": 30, "Hybrid": 13}
    for dataset in p.DATASETS:
        total = next(split.total for split in p.SPLITS if split.kin == dataset.kin)
        size = implied[dataset.kin]
        assert size * (size - 1) == total
        assert (dataset.concepts == size) == (dataset.kin == "Country")


def test_sensitivity_is_not_that_of_the_gap() -> None:
    least = min(row(p.MAIN, kin, "boxsel").gap for kin in p.KINDS)
    assert max(sensitivity.mean for sensitivity in p.SENSITIVITY) < least
    assert round(p.SHAPES["Country"]["total"], 2) != round(row(p.MAIN, "Country", "boxsel").gap, 2)


def test_slips_have_keys_of_their_own() -> None:
    assert len(SENTENCES) == len(SLIPS)
    assert all(slip.sentence.endswith(".") for slip in SLIPS)
