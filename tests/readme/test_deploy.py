"""The files in examples/deploy/, as far as a machine without a cluster can check them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.commands.worker import worker
from tests.readme.deploy import FOLDER, objects, pod
from tests.readme.reading import ROOT
from tests.services import missing
from worker.app import SOFT_SHUTDOWN_SECONDS

UNIT = "bullseye-worker.service"
#: tenths of the exposure that `systemd-analyze security` computes; 20 to 49 is called ok
LEAST_EXPOSED = 20


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units, of a program that exists."""
    for unit in (FOLDER / UNIT, FOLDER / "bullseye.target"):
        text = unit.read_text().replace("/opt/bullseye/bin/bullseye", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    return tmp_path


def analyzed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze") or missing(
        "systemd-analyze", "apt-get install systemd"
    )
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def test_systemd_accepts_the_units(units: Path) -> None:
    done = analyzed("verify", "--man=no", *sorted(units.iterdir()))
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_finds_the_service_hardly_exposed(units: Path) -> None:
    done = analyzed("security", "--offline=true", f"--threshold={LEAST_EXPOSED}", units / UNIT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workers_have_the_time_to_give_back_their_chunks() -> None:
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", (FOLDER / UNIT).read_text(), re.MULTILINE)
    assert min(int(seconds), pod()["terminationGracePeriodSeconds"]) > 2 * SOFT_SHUTDOWN_SECONDS


def test_the_pods_have_the_user_of_the_image() -> None:
    (container,) = pod()["containers"]
    (user,) = re.findall(r"useradd --uid (\d+)", (ROOT / "compose.yaml").read_text())
    assert container["securityContext"]["runAsUser"] == int(user)


def test_the_scaler_scales_the_deployment_and_knows_the_database() -> None:
    found = objects()
    scaled = found["ScaledObject"]["spec"]
    assert scaled["scaleTargetRef"] == {"name": found["Deployment"]["metadata"]["name"]}
    (trigger,) = scaled["triggers"]
    authentication = found["TriggerAuthentication"]
    assert trigger["authenticationRef"] == {"name": authentication["metadata"]["name"]}
    (parameter,) = authentication["spec"]["secretTargetRef"]
    (database, _) = pod()["containers"][0]["env"]
    assert parameter["parameter"] == "connection"
    assert {key: parameter[key] for key in ("name", "key")} == database["valueFrom"]["secretKeyRef"]


@pytest.mark.parametrize(
    "arguments",
    [
        re.findall(r"^ExecStart=\S+ (.*)$", (FOLDER / UNIT).read_text(), re.MULTILINE)[0].split(),
        pod()["containers"][0]["args"],
    ],
)
def test_workers_under_a_supervisor_wait_and_log_json(arguments: list[str]) -> None:
    name, *rest = arguments
    with worker.make_context(name, rest) as context:
        assert (context.params["wait"], context.params["log_format"]) == (True, "json")
