"""Reads examples/deploy/keda.yaml."""

from typing import Any

import yaml

from tests.readme.reading import ROOT

FOLDER = ROOT / "examples" / "deploy"


def objects() -> dict[str, Any]:
    """Return the objects of the file, by kind."""
    return {one["kind"]: one for one in yaml.safe_load_all((FOLDER / "keda.yaml").read_text())}


def pod() -> dict[str, Any]:
    """Return the specification of the pods of workers."""
    specification: dict[str, Any] = objects()["Deployment"]["spec"]["template"]["spec"]
    return specification


def scaler() -> dict[str, str]:
    """Return what the scaler asks of PostgreSQL, and for how many chunks it adds a worker."""
    (trigger,) = objects()["ScaledObject"]["spec"]["triggers"]
    asked: dict[str, str] = trigger["metadata"]
    return asked
