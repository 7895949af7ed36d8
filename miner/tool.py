"""What decides a catalog's bytes besides the source: errmine's own code, and the parser."""

import hashlib
import importlib.metadata
from functools import cache
from pathlib import Path

import catalog

ROOT = Path(__file__).parents[1]


@cache
def describe_tool() -> str:
    """Describe what decides a catalog's bytes: errmine's version and code, and the parser's version."""
    code = hashlib.sha256()
    for room in ("catalog", "miner"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in (".py", ".toml"):
                code.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    parser = importlib.metadata.version("libcst")
    return f"errmine {catalog.__version__} ({code.hexdigest()[:8]}), libcst {parser}"
