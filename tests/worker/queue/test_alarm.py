"""The alarm, in a process of its own: a test runner has an alarm itself."""

import os
import subprocess
import sys

SETUP = "import time; from worker.queue.alarm import HangAlarm; alarm = HangAlarm({seconds}, 0.1);"


def run(program: str, seconds: float = 0.2) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SETUP.format(seconds=seconds) + program]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_process_that_hangs_is_ended_with_one_line() -> None:
    ended = run("alarm.renew(); time.sleep(60)")
    assert ended.returncode == os.EX_TEMPFAIL
    assert ended.stderr == "the worker ends: its main process has hung for 0.2 s\n"


def test_a_process_that_renews_the_alarm_or_cancels_it_goes_on() -> None:
    renewed = "[(alarm.renew(), time.sleep(0.05)) for _ in range(10)]; alarm.cancel();"
    assert run(renewed + "time.sleep(0.5); print('done')").stdout == "done\n"


def test_a_process_that_was_suspended_has_time_to_go_on() -> None:
    program = "alarm.renew(); time.sleep(0.25); alarm.renew(); alarm.cancel(); print('done')"
    assert run(program).stdout == "done\n"


def test_without_a_limit_nothing_ends() -> None:
    assert run("alarm.renew(); time.sleep(0.3); print('done')", seconds=0).stdout == "done\n"
