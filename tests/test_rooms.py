"""Data flows one way: no room uses one that comes later."""

from __future__ import annotations

from tests.rooms import DOORS, PAGE, TURNS, Import, imports, modules, page, room


def test_every_module_is_in_a_room() -> None:
    assert all(room(module) for module in modules().keys() - DOORS)


def test_no_room_uses_a_later_one() -> None:
    back = sorted(f"{one.user} → {one.used}" for one in imports() if one.goes_back)
    assert not back, "\n".join(("imports against the direction of tests/rooms.py:", *back))


def test_what_goes_back_is_found() -> None:
    assert Import("boxsel.logic.concepts", "boxsel.cli.app").goes_back
    assert Import("boxsel.syntax.parser", "boxsel.formats.source").goes_back
    assert not Import("boxsel.formats.sel", "boxsel.syntax.parser").goes_back


def test_no_turn_is_allowed_in_vain() -> None:
    made = {(one.user, room(one.used)) for one in imports()}
    assert all((user, used) in made for user, rooms in TURNS.items() for used in rooms)


def test_the_page_has_the_rooms_as_they_are() -> None:
    assert page() == PAGE.read_text("utf-8"), "run: python -m tests.rooms"
