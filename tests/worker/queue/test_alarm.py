"""The alarm, in a process of its own: a test runner has an alarm itself."""

import os
import subprocess
import sys

#: `left()` is the number of seconds until the alarm
SETUP = """
import signal, time
from worker.queue.consumer import HangAlarm

def left():
    return signal.getitimer(signal.ITIMER_REAL)[0]

alarm = HangAlarm({seconds}, {grace})
alarm.renew()
"""


def run(program: str, seconds: float, grace: float) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SETUP.format(seconds=seconds, grace=grace) + program]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_a_process_that_hangs_is_ended_with_one_line() -> None:
    ended = run("time.sleep(300)", seconds=0.2, grace=0.1)
    assert ended.returncode == os.EX_TEMPFAIL
    assert ended.stderr == "the worker ends: its main process has hung for 0.2 s\n"


def test_a_process_that_renews_the_alarm_or_cancels_it_goes_on() -> None:
    program = "time.sleep(0.1); before = left(); alarm.renew(); print(left() > before > 0);"
    program += "alarm.cancel(); print(left())"
    assert run(program, seconds=300, grace=300).stdout == "True\n0.0\n"


def test_a_process_that_was_suspended_has_time_to_go_on() -> None:
    program = """
while left() < 200:  # it has not rung yet
    time.sleep(0.01)
alarm.renew()
alarm.cancel()
print("done")
"""
    assert run(program, seconds=0.1, grace=300).stdout == "done\n"


def test_without_a_limit_nothing_ends() -> None:
    assert run("print(left())", seconds=0, grace=0.1).stdout == "0.0\n"
