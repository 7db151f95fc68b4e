from typing import Any

import pytest
import yaml

from tests.compose.compose_file import FILE, Services, Steps, filled_in, steps
from tests.compose.image import Image


@pytest.fixture(scope="session")
def services() -> Services:
    compose: dict[str, Any] = filled_in(yaml.safe_load(FILE.read_text()))
    return compose["services"]  # type: ignore[no-any-return] # yaml knows no types


@pytest.fixture(scope="session")
def recipe(services: Services) -> Steps:
    return steps(services["worker"]["build"]["dockerfile_inline"])


@pytest.fixture(scope="session")
def image(recipe: Steps, tmp_path_factory: pytest.TempPathFactory) -> Image:
    image = Image(tmp_path_factory.mktemp("image"), recipe)
    image.build()
    return image
