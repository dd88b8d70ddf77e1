"""Links hold the whole state, and nothing else is taken for one."""

from __future__ import annotations

import base64
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.serve.page.state import (
    LARGEST_STATE,
    LONGEST_LINK,
    MARK,
    Comparison,
    State,
    fragment,
    restored,
)

texts = st.text(max_size=200)
several = st.lists(texts, max_size=4).map(tuple)
comparisons = st.builds(Comparison, texts, several, several)
states = st.builds(
    State,
    text=texts,
    name=texts.filter(bool),
    query=texts,
    moves=several,
    view=st.sampled_from(["question", "simpson", "boxes"]),
    comparison=comparisons,
)


@given(states)
@example(State(text="\ud800 half a character"))
def test_a_link_restores_the_whole_state(state: State) -> None:
    link = fragment(state)
    assert link.isascii()
    assert restored(f"#{link}") == restored(link) == state


@given(st.text(max_size=300))
@example(MARK + "!!!!")
def test_other_texts_are_refused(link: str) -> None:
    with pytest.raises(BoxselError, match="damaged"):
        restored(link)


@given(states, st.data())
def test_a_link_that_was_cut_off_is_refused(state: State, data: st.DataObject) -> None:
    link = fragment(state)
    length = data.draw(st.integers(0, len(link) - 1))
    with pytest.raises(BoxselError, match="damaged"):
        restored(link[:length])


@pytest.mark.parametrize("spelt", [b"[1]", b"null", b"3", b"{", b"[" * 100_000, b"\xff"])
def test_what_is_no_state_is_refused(spelt: bytes) -> None:
    code = base64.urlsafe_b64encode(zlib.compress(spelt)).decode().rstrip("=")
    with pytest.raises(BoxselError, match="damaged"):
        restored(MARK + code)


def test_a_small_link_does_not_unpack_to_any_size() -> None:
    spelt = b'{"text": "' + b"A" * (LARGEST_STATE + 1) + b'"}'
    code = base64.urlsafe_b64encode(zlib.compress(spelt, 9)).decode().rstrip("=")
    assert len(code) < LONGEST_LINK
    with pytest.raises(BoxselError, match="damaged"):
        restored(MARK + code)


def test_what_is_too_large_for_a_link_is_said() -> None:
    text = "".join(f"A{number * number} SubClassOf B{number}\n" for number in range(20_000))
    for large in (text, "A" * (LARGEST_STATE + 1)):
        with pytest.raises(BoxselError, match="save it to a file"):
            fragment(State(text=large))


@given(st.dictionaries(st.sampled_from([*State().to_json()]), st.none() | st.integers() | texts))
def test_parts_of_another_kind_are_as_at_first(found: dict[str, object]) -> None:
    state = State.from_json(found)
    assert state.text == (found.get("text") if isinstance(found.get("text"), str) else "")
    assert state.moves == ()
