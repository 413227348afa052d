"""What CONTRIBUTING promises about the code itself."""

import ast
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parent.parent
KERNEL = ROOT / "arena/game/rules.py"
SOURCES = [
    file
    for folder in ("arena", "workers", "bots")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if "v1" not in file.parts
]


def functions() -> Iterator[tuple[str, int]]:
    """Every function of the product with its length in lines."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                yield f"{file.relative_to(ROOT)}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def test_the_median_function_has_at_most_eight_lines() -> None:
    assert median(length for _, length in functions()) <= 8


def test_no_function_is_longer_than_sixty_lines() -> None:
    assert [(name, length) for name, length in functions() if length > 60] == []


def test_no_file_is_longer_than_two_hundred_fifty_lines_but_the_rules() -> None:
    lengths = {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in SOURCES if file != KERNEL}
    assert {file: length for file, length in lengths.items() if length > 250} == {}


@pytest.mark.parametrize("name", ["arena", "workers", "bots"])
def test_no_other_distribution_provides_our_import_names(name: str) -> None:
    assert set(packages_distributions().get(name, [])) <= {"glassworks-arena"}


def test_proto_holds_sources_only() -> None:
    assert list((ROOT / "proto").rglob("*.py")) == []


def test_every_document_that_the_code_cites_is_in_the_repository() -> None:
    cited = {
        word.strip("`(),.:;\"'")
        for file in SOURCES
        for word in file.read_text().split()
        if word.strip("`(),.:;\"'").startswith("docs/") and word.strip("`(),.:;\"'").endswith(".md")
    }
    assert cited
    assert {name for name in cited if not (ROOT / name).is_file()} == set()
