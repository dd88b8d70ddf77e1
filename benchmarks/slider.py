"""From a slider that moves to the picture of the new answer, in a real Chromium.

Run `python benchmarks/slider.py`; it needs Chromium and Playwright. For each bundled example the
first what-if slider is moved with the keyboard, step by step, and the page itself takes the time
from the input event to the change of the picture.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from _measuring import save
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.serve.page.conftest import FLAGS
from tests.serve.page.visitor import WATCH

QUESTIONS = {
    "applicant": "(Admitted | Applicant)",
    "berkeley": "(Admitted | Man)",
    "clinic": "(Smoker | Patient)",
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=40, help="how often a slider is moved")
    given = options.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("this needs Chromium")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["-m", "boxsel", "serve", "--no-browser", "--port", str(port)]
    server = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    rows: list[dict[str, Any]] = []
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for name in QUESTIONS:
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.goto(f"http://127.0.0.1:{port}/")
                rows.append(measured(page, name, given.steps))
                page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()
    print("example     moves   median ms   90 % ms   worst ms")
    for row in rows:
        figures = f"{row['median']:>11.0f} {row['most']:>9.0f} {row['worst']:>10.0f}"
        print(f"{row['example']:<10} {row['moves']:>6} {figures}")
    save("slider", {"rows": rows})


def measured(page: Page, name: str, steps: int) -> dict[str, Any]:
    page.get_by_role("button", name="Examples").click()
    page.get_by_text(name, exact=True).click()
    field = page.get_by_role("combobox", name="Question")
    field.fill(QUESTIONS[name])
    field.press("Escape")
    field.press("Enter")
    page.wait_for_timeout(2000)
    page.evaluate(WATCH)
    slider = page.get_by_role("slider").first
    slider.focus()
    for step in range(steps):
        page.keyboard.press("ArrowLeft" if step % 20 < 10 else "ArrowRight")
        page.wait_for_function("(drawn) => window.times.length > drawn", arg=step)
        page.wait_for_timeout(250)
    times: list[float] = page.evaluate("window.times")
    return {
        "example": name,
        "moves": len(times),
        "median": statistics.median(times),
        "most": statistics.quantiles(times, n=10, method="inclusive")[-1],
        "worst": max(times),
    }


def wait_for(address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=10).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
