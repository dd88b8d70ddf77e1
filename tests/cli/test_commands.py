"""The commands do what they say, in words and in JSON, and refuse what they cannot do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import typer

from boxsel import examples, read
from boxsel._version import __version__
from boxsel.cli.app import COMMANDS, application
from boxsel.logic.proportions import Count, Interval
from boxsel.normal.validator import violations
from boxsel.schemas import schema
from tests.cli.inside import piped

RUN = [sys.executable, "-m", "boxsel"]


def boxsel(*arguments: str | Path, text: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own, as a user does."""
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run(
        [*RUN, *map(str, arguments)],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def answer(*arguments: str | Path, text: str | bytes = b"", code: int = 0) -> dict[str, object]:
    """The one JSON object that a command prints, as its published schema has it."""
    done = piped(*arguments, "--json", text=text)
    assert done.returncode == code, done.stderr
    (line,) = done.stdout.decode().splitlines()
    content = json.loads(line)
    assert isinstance(content, dict)
    name = "normalize-check" if "--check" in arguments else str(arguments[0])
    jsonschema.validate(content, schema(name))
    return content


def complaint(*arguments: str | Path, text: str | bytes = b"") -> str:
    """What a command says about bad input: one message, exit code 2, no traceback, no output."""
    done = piped(*arguments, text=text)
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert done.stdout == b""
    assert "Traceback" not in said
    return said


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.sel"
    path.write_text(examples.text("clinic"), "utf-8")
    return path


def test_version_and_help() -> None:
    assert boxsel("--version").stdout.decode().strip() == f"boxsel {__version__}"
    for command in ("show", "convert", "normalize", "diff"):
        shown = boxsel(command, "--help")
        assert shown.returncode == 0
        assert f"Example: boxsel {command}" in shown.stdout.decode()


def test_show_counts_what_is_there(clinic: Path) -> None:
    kb = examples.load("clinic")
    content = answer("show", clinic)
    assert content["statements"] == len(kb)
    assert content["kinds"] == kb.counts_by_kind()
    assert content["counts"] == 2
    assert "conditional" in piped("show", clinic).stdout.decode()


def test_show_reads_standard_input_in_any_format(clinic: Path) -> None:
    ofn = boxsel("convert", clinic, "--to", "ofn").stdout
    assert piped("convert", clinic, "--to", "ofn").stdout == ofn
    assert answer("show", "-", text=ofn) == answer("show", clinic)
    shown = boxsel("show", "-", "--json", text=ofn)
    assert shown.stdout == piped("show", "-", "--json", text=ofn).stdout
    assert (shown.returncode, shown.stderr) == (0, b"")


def test_a_process_refuses_as_it_does_inside() -> None:
    refused, inside = (run("show", "-", text="(A | B)[1.2]") for run in (boxsel, piped))
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert refused.stderr == inside.stderr


def test_sampling_options_read_counts_and_say_what_they_promise(clinic: Path) -> None:
    content = answer("show", clinic, "--confidence", "0.95", "--simultaneous")
    assert content["counts"] == 0
    coverage = content["coverage"]
    assert isinstance(coverage, dict)
    assert coverage["joint"] == 0.95
    said = piped("show", clinic, "--confidence", "95%", "--interval", "wilson").stderr.decode()
    assert "Wilson" in said
    assert "need --confidence" in complaint("show", clinic, "--simultaneous")
    assert "not between 0 and 1" in complaint("show", clinic, "--confidence", "1.5")


@pytest.mark.parametrize("extension", ["sel", "owl", "owx", "ofn", "ttl", "obo", "json"])
def test_convert_there_and_back_changes_nothing(clinic: Path, extension: str) -> None:
    other = clinic.with_suffix(f".{extension}")
    assert piped("convert", clinic, "-o", other).returncode == 0
    back = clinic.with_name("back.sel")
    assert piped("convert", other, back).returncode == 0, "the output may be an argument"
    assert read(back) == read(clinic)
    assert answer("diff", clinic, other)["same"] is True


def test_convert_reports_in_json(clinic: Path) -> None:
    content = answer("convert", clinic, "-o", clinic.with_suffix(".json"))
    assert (content["from"], content["to"], content["statements"]) == ("sel", "json", 20)
    lossy = answer("convert", clinic, clinic.with_suffix(".tsv"), "--lossy", "--confidence", "0.9")
    assert (lossy["to"], lossy["statements"]) == ("tsv", 14)
    assert "say with -o" in complaint("convert", clinic, "--to", "sel", "--json")


def test_convert_to_csv_refuses_to_lose_anything_silently(clinic: Path) -> None:
    target = clinic.with_suffix(".csv")
    assert "--lossy" in complaint("convert", clinic, "-o", target)
    assert not target.exists()
    done = piped("convert", clinic, "-o", target, "--lossy")
    assert done.returncode == 0
    assert "left out" in done.stderr.decode()
    kb = read(target)
    assert set(kb.conditionals) == set(examples.load("clinic").conditionals)


def test_convert_with_confidence_turns_counts_into_intervals(clinic: Path) -> None:
    out = clinic.with_name("out.sel")
    piped("convert", clinic, "-o", out, "--confidence", "0.95")
    for old, new in zip(read(clinic).conditionals, read(out).conditionals, strict=True):
        assert isinstance(new.proportion, Interval)
        if isinstance(old.proportion, Count):
            assert old.bounds.lower in new.proportion
        else:
            assert new.proportion == old.proportion


def test_normalize_writes_the_normal_form(clinic: Path) -> None:
    target = clinic.with_name("normal.sel")
    content = answer("normalize", clinic, "-o", target)
    assert not violations(read(target))
    assert content["statements"] == len(read(target))
    assert content["safe"] is True
    fresh = content["fresh"]
    assert isinstance(fresh, dict)
    assert "hasDisease some Diabetes" in fresh.values()
    assert piped("normalize", target, "--check").returncode == 0
    assert answer("normalize", target, "--check") == {"normal": True, "violations": []}
    assert answer("normalize", clinic, "--check", code=1)["normal"] is False
    assert piped("normalize", clinic).stdout.decode() == target.read_text("utf-8")


def test_normalize_names_what_is_empty_and_what_is_unsafe() -> None:
    text = "A SubClassOf owl:Nothing\n(B | owl:Thing)[0.5]\n"
    said = piped("normalize", "-", text=text).stderr.decode()
    assert "empty in every model: A\n" in said
    assert "not safe, since a side is everything:\n  (B | owl:Thing)[0.5]\n" in said


def test_long_lists_are_shortened_for_people_and_whole_in_json(tmp_path: Path) -> None:
    text = "".join(f"A{number:02} SubClassOf owl:Nothing\n" for number in range(30))
    said = piped("normalize", "-", text=text).stderr.decode()
    assert "A09, and 20 more (--json lists all)\n" in said
    content = answer("normalize", "-", "-o", tmp_path / "normal.sel", text=text)
    assert content["empty"] == [f"A{number:02}" for number in range(30)]


def test_diff_says_what_changed_and_exits_with_1(clinic: Path) -> None:
    other = clinic.with_name("other.sel")
    text = clinic.read_text("utf-8").replace(
        "(Smoker | Patient)[0.2, 0.3]", "(Smoker | Patient)[1/4]"
    )
    other.write_text(text, "utf-8")
    done = piped("diff", clinic, other)
    assert done.returncode == 1
    assert answer("diff", clinic, other, code=1)["same"] is False
    assert done.stdout.decode() == "~ (Smoker | Patient)[0.2, 0.3] -> (Smoker | Patient)[0.25]\n"
    assert piped("diff", clinic, clinic).returncode == 0


BAD_INPUTS = {
    "(A | B)[1.2]": "1.2 is above 1",
    "(A | B)[0.5, 0.2]": "above the upper bound",
    "(A | B)[13 of 12]": "above its total",
    "x:A SubClassOf B": "prefix 'x:' is not declared",
    "owl:Nothing SubClassOf A": "on the left of an inclusion",
    "(A | owl:Nothing)[1]": "inside a conditional",
    "A SubClassOf {a}": "individuals occur only in assertions",
    "A(a)\na(A)": "is used as",
    "": "the file is empty",
}


@pytest.mark.parametrize("command", ["show", "convert", "normalize"])
def test_bad_input_is_one_message_and_exit_code_2(command: str, tmp_path: Path) -> None:
    target = tmp_path / "out.sel"
    output = () if command == "show" else ("-o", target)
    messages = set()
    for text, message in BAD_INPUTS.items():
        said = complaint(command, "-", *output, text=text)
        assert message in said
        assert said.startswith("error: <stdin>")
        messages.add(said.splitlines()[0].split(": ", 2)[-1])
    assert len(messages) == len(BAD_INPUTS), "each has its own message"
    for path, message in ((tmp_path, "a directory"), (tmp_path / "no", "no such file")):
        assert message in complaint(command, path, *output)
    assert "not valid UTF-8" in complaint(command, "-", *output, text=b"\xff\x00\xfa" * 400_000)
    assert "there is no format 'docx'" in complaint(
        command, "-", "--from", "docx", *output, text="A(a)"
    )
    assert list(tmp_path.iterdir()) == [], "nothing was written"


@pytest.mark.parametrize("command", ["convert", "normalize"])
def test_what_cannot_be_written_is_said(command: str, clinic: Path, tmp_path: Path) -> None:
    assert "a directory" in complaint(command, clinic, "-o", tmp_path, "--to", "sel")
    assert "No such file" in complaint(command, clinic, "-o", tmp_path / "no" / "kb.sel")
    assert "names no format" in complaint(command, clinic, "-o", tmp_path / "kb.docx")
    if Path("/dev/full").exists():
        assert "No space left" in complaint(command, clinic, "-o", "/dev/full", "--to", "sel")


def test_a_failed_write_keeps_the_old_file(clinic: Path) -> None:
    before = clinic.read_bytes()
    complaint("convert", "-", "-o", clinic, text="A SubClassOf")
    assert clinic.read_bytes() == before


def test_a_reader_that_goes_away_is_no_error(clinic: Path) -> None:
    command = " ".join(f"'{part}'" for part in [*RUN, "convert", str(clinic), "--to", "json"])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | true"], capture_output=True, check=False
    )
    assert done.stderr == b""


def test_ctrl_c_is_one_message_and_leaves_nothing_behind(tmp_path: Path) -> None:
    pipe = tmp_path / "slow.sel"
    os.mkfifo(pipe)
    target = tmp_path / "out.sel"
    with (
        subprocess.Popen(
            [*RUN, "convert", str(pipe), "-o", str(target)], stderr=subprocess.PIPE
        ) as process,
        pipe.open("w"),
    ):  # opens when the command starts to read, and keeps it waiting
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.decode() == "error: interrupted; nothing was written\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["slow.sel"]


def commands(app: typer.Typer) -> list[str]:
    """The names of the commands that an application has, groups included."""
    found = [
        command.name or getattr(command.callback, "__name__", "")
        for command in app.registered_commands
    ]
    return found + [
        str(group.typer_instance.info.name)
        for group in app.registered_groups
        if group.typer_instance
    ]


def test_a_command_that_is_named_is_there_alone_and_all_are_otherwise() -> None:
    everything = commands(application())
    assert len(everything) == len(COMMANDS) > 10
    for name in everything:
        assert commands(application([name, "--help"])) == [name]
    assert commands(application(["nothing"])) == commands(application(["--help"])) == everything
