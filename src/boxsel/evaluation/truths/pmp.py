"""The intervals of probabilistic modus ponens, one for each pair of premises."""

from __future__ import annotations

import numpy as np

from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.splits.split import Pairs


def pmp_intervals(pairs: Pairs) -> tuple[Floats, Floats]:
    """What follows for `(E | C)` from `(D | C)[q1]` and `(E | C ⊓ D)[q2]`.

    It is [q1·q2, min(1, q1·q2 + 1 − q1)], as the proposition has it for l1 = u1 and l2 = u2: for
    points the published upper bound is the tight one. Where the second premise is undefined,
    no C is D, and nothing follows: the interval is [0, 1].

    Examples:
        >>> from boxsel.evaluation.conditionals import Conditionals
        >>> one, two, three, ten = (np.array([number]) for number in (1, 2, 3, 10))
        >>> first = Conditionals.of(1, body=one, head=two, count=two, total=ten)
        >>> second = Conditionals.of(2, body=one, second=two, head=three, count=one, total=two)
        >>> lower, upper = pmp_intervals(Pairs(one - 1, first, second))
        >>> round(float(lower[0]), 6), round(float(upper[0]), 6)
        (0.1, 0.9)
    """
    first, second = pairs.first.share, pairs.second.share
    follows = pairs.first.defined & pairs.second.defined
    lower: Floats = np.where(follows, first * second, 0.0)
    # In this order rounding never puts the upper end below the lower one.
    upper: Floats = np.where(follows, np.minimum(1.0, lower + (1 - first)), 1.0)
    return lower, upper
