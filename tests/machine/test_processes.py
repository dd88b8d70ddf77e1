"""Several processes: all their items come, and none of them outlives the work."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen, run

import pytest

from boxsel.errors import BoxselError
from boxsel.machine.processes import side_by_side


def counting(start: int, number: int) -> Iterator[int]:
    yield from range(start, start + number)


def failing(fails: bool) -> Iterator[int]:
    yield os.getpid()
    if fails:
        raise BoxselError("this one failed")
    time.sleep(60)


def dying(code: int) -> Iterator[int]:
    yield 0
    if code == -signal.SIGKILL:
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(code)


def waiting(_: int) -> Iterator[int]:
    yield os.getpid()
    time.sleep(60)


def deaf(_: int) -> Iterator[bool]:
    yield signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def gone(process: int, patience: float = 10) -> bool:
    """Whether a process has ended, or does so in a moment."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
            state = Path(f"/proc/{process}/stat")
            if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_items_come(jobs: int) -> None:
    tasks = [(0, 5), (10, 0), (20, 3)]
    found = list(side_by_side(counting, tasks, jobs))
    assert sorted(found) == [0, 1, 2, 3, 4, 20, 21, 22]
    assert [item for item in found if item < 10] == [0, 1, 2, 3, 4]


def test_without_tasks_there_is_nothing() -> None:
    assert list(side_by_side(counting, [], 2)) == []


def test_one_failure_stops_the_others() -> None:
    seen = []
    with pytest.raises(BoxselError, match="this one failed"):
        for process in side_by_side(failing, [(False,), (True,)], 2):
            seen.append(process)
    assert all(map(gone, seen))


@pytest.mark.parametrize(
    ("code", "said"), [(-signal.SIGKILL, "for want of memory"), (3, "exit status 3")]
)
def test_a_process_that_dies_is_noticed(code: int, said: str) -> None:
    with pytest.raises(BoxselError, match=said):
        list(side_by_side(dying, [(code,), (code,)], 2))


def test_only_the_first_process_hears_an_interrupt() -> None:
    assert list(side_by_side(deaf, [(0,), (1,)], 2)) == [True, True]
    assert list(deaf(0)) == [False]


def test_the_very_first_process_does_not_hear_it_either() -> None:
    code = (
        "from boxsel.machine.processes import side_by_side\n"
        "from tests.machine.test_processes import deaf\n"
        "print(list(side_by_side(deaf, [(0,), (1,)], 2)))\n"
    )
    root = Path(__file__).resolve().parents[2]
    process = run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60
    )
    assert process.stdout == "[True, True]\n"


def test_a_plain_script_is_not_run_again(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(
        "from boxsel.machine.processes import side_by_side\n"
        "print('once')\n"
        "print(sorted(side_by_side(range, [(2,), (3,)], 2)), __file__ is None, __spec__)\n"
    )
    process = run([sys.executable, path], capture_output=True, text=True, timeout=60)
    assert (process.stdout, process.stderr) == ("once\n[0, 0, 1, 1, 2] False None\n", "")


def counted_beside(start: int) -> list[int]:
    return sorted(side_by_side(counting, [(start, 2), (start, 1)], 2))


def test_processes_of_joblib_have_processes_too() -> None:
    from joblib import Parallel, delayed

    found = Parallel(n_jobs=2)(delayed(counted_beside)(one) for one in (0, 5))
    assert found == [[0, 0, 1], [5, 5, 6]]


def test_whoever_stops_reading_stops_the_work() -> None:
    items = side_by_side(waiting, [(0,), (1,)], 2)
    process = next(items)
    items.close()
    assert gone(process)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_one_that_started_it(end: signal.Signals) -> None:
    code = (
        "import signal\n"
        "from boxsel.machine.processes import side_by_side\n"
        "from tests.machine.test_processes import waiting\n"
        # Whoever was started in the background ignores Ctrl-C.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "for item in side_by_side(waiting, [(0,), (1,)], 2): print(item, flush=True)\n"
    )
    root = Path(__file__).resolve().parents[2]
    # In a group of its own, so that Ctrl-C reaches all its processes, as in a terminal.
    with Popen(
        [sys.executable, "-c", code], cwd=root, stdout=PIPE, stderr=PIPE, text=True,
        start_new_session=True,
    ) as parent:  # fmt: skip
        assert parent.stdout is not None
        assert parent.stderr is not None
        processes = [int(parent.stdout.readline()) for _ in range(2)]
        os.killpg(parent.pid, end) if end == signal.SIGINT else parent.send_signal(end)
        said = parent.stderr.read()
    assert all(map(gone, processes))
    # One interrupt gives one message, not one from each process.
    assert said.count("KeyboardInterrupt") == (end == signal.SIGINT)


SCRIPT = """
from boxsel.machine.processes import side_by_side

def work(text):
    yield len(text)

print(sum(side_by_side(work, [("x" * 3_000_000,), ("y" * 3_000_000,)], 2)))
"""


def test_a_script_without_a_guard_fails_instead_of_waiting(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    process = run([sys.executable, path], capture_output=True, text=True, timeout=60)
    assert process.returncode == 1
    assert "a process ended before its work was done" in process.stderr
    guarded = SCRIPT.replace("print(", "if __name__ == '__main__':\n    print(")
    path.write_text(guarded)
    again = run([sys.executable, path], capture_output=True, text=True, timeout=60)
    assert again.stdout == "6000000\n"
