"""Check the code without running it: `python packaging/checks.py`, in an environment with packaging/locks/test.txt.

As many checks run at once as there are processors. The status is 1 if one fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
# What only this system runs is unreachable there.
ELSEWHERE = ["--no-warn-unreachable", "toolnote_desktop", "packaging"]

# Longest first.
CHECKS = {
    "mypy": ["-m", "mypy"],
    "mypy for Windows": ["-m", "mypy", "--platform", "win32", "--cache-dir", ".mypy_cache/win32", *ELSEWHERE],
    "mypy for macOS": ["-m", "mypy", "--platform", "darwin", "--cache-dir", ".mypy_cache/darwin", *ELSEWHERE],
    "words and references": ["packaging/style_lint.py"],
    "vulture": ["-m", "vulture"],
    "deptry": ["-m", "deptry", "."],
    "import walls": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
    "ruff": ["-m", "ruff", "check"],
}


def main() -> int:
    """Run all checks, print the output of each as a whole, and return the exit status."""
    running: list[subprocess.Popen[str]] = []

    def check(command: list[str]) -> tuple[int, str, float]:
        began = time.monotonic()
        with subprocess.Popen(
            [sys.executable, *command], cwd=CLONE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        ) as process:
            running.append(process)
            output, _ = process.communicate()
        return process.returncode, output, time.monotonic() - began

    failed = False
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        checks = {name: pool.submit(check, command) for name, command in CHECKS.items()}
        try:
            for name, one in checks.items():
                status, output, seconds = one.result()
                failed |= status != 0
                print(
                    f"--- {name}: {'ok' if status == 0 else f'FAILED ({status})'}, {seconds:.0f} s\n{output}",
                    flush=True,
                )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()
            raise
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
