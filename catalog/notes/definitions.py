"""What does a source text come down to, once the names that the function computed are replaced by what they are?"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from catalog.notes.evaluate import Unknown, is_shallow, parse
from catalog.notes.evaluation.source import write
from catalog.records import Binding

_DEEPEST = 5
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions of the names that have one, each read once."""

    trees: Mapping[str, ast.expr]
    """By name; only names with a single definition."""
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, bindings: Sequence[Binding]) -> "Definitions":
        """Read the definitions of a guard."""
        values: dict[str, set[str]] = {}
        for binding in bindings:
            values.setdefault(binding.name, set()).add(binding.value)
        trees: dict[str, ast.expr] = {}
        for name, found in values.items():
            tree = _parse(next(iter(found))) if len(found) == 1 else None
            if tree is not None:
                trees[name] = tree
        return cls(trees)

    def expand(self, text: str) -> tuple[str, ...]:
        """Give a text with the definitions of its names put in, one level after the other, without itself."""
        if not self.trees:
            return ()
        if text not in self.known:
            self.known[text] = tuple(self._expand(text))
        return self.known[text]

    def _expand(self, text: str) -> Iterator[str]:
        read = _parse(text)
        if read is None:
            return
        tree: ast.AST = read
        for _ in range(_DEEPEST):
            changed = _Replacing(self.trees).visit(tree)
            written = write(changed) if is_shallow(changed) else text
            if written == text or len(written) > _LONGEST:
                return
            text, tree = written, changed
            yield text


class Rewriting(ast.NodeTransformer):
    """Replace parts of a tree, the outermost first, without touching the tree that was given."""

    def replace(self, node: ast.AST) -> ast.AST | None:
        """Give what a part is replaced by; None to look into it."""
        raise NotImplementedError

    def visit(self, node: ast.AST) -> ast.AST:
        """Give the node with its parts replaced."""
        found = self.replace(node)
        return self.generic_visit(node) if found is None else found

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Give a copy of the node with its parts replaced."""
        changed: dict[str, object] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                changed[name] = self.visit(value)
            elif isinstance(value, list):
                changed[name] = [self.visit(item) if isinstance(item, ast.AST) else item for item in value]
            else:
                changed[name] = value
        return type(node)(**changed)


class _Replacing(Rewriting):
    """Replace names by their definitions, one level."""

    def __init__(self, trees: Mapping[str, ast.expr]) -> None:
        self._trees = trees

    def replace(self, node: ast.AST) -> ast.AST | None:
        return self._trees.get(write(node)) if isinstance(node, ast.Name | ast.Attribute) else None


def _parse(source: str) -> ast.expr | None:
    try:
        tree = parse(source)
    except Unknown:
        return None
    return tree if is_shallow(tree) else None
