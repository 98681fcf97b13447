"""What the package needs: the syntax of Python 3.9, and no library of its own."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Iterator

import pytest

SOURCES = sorted((Path(__file__).parents[1] / "landfall").rglob("*.py"))


def _imports(tree: ast.Module) -> Iterator[str]:
    """The modules that a file imports when it is imported, not only for types."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python 3.9 does not know the modules of its library")
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_file_is_python_3_9_and_imports_the_standard_library_only(source: Path) -> None:
    tree = ast.parse(source.read_text(encoding="utf-8"), feature_version=(3, 9))
    allowed = {"landfall", *sys.stdlib_module_names} | ({"django"} if source.parent.name == "django" else set())
    assert {name.split(".")[0] for name in _imports(tree)} <= allowed


def test_files_are_short() -> None:
    assert [source.name for source in SOURCES if len(source.read_text(encoding="utf-8").splitlines()) > 250] == []
