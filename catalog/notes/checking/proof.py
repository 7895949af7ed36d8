"""Can a check be proved to be the branch turned round, where trying values doesn't tell?"""

import ast
from collections.abc import Mapping

from catalog.compare.implication import compare_conditions, implies
from catalog.notes.checking.roles import Roles
from catalog.notes.checking.subject import Subject
from catalog.notes.definitions import Rewriting
from catalog.notes.evaluate import Unknown, is_shallow, parse
from catalog.notes.evaluation.source import write
from catalog.notes.functions import Function
from catalog.notes.words.members import name_members

_DEEPEST = 5


def is_proved(subject: Subject, function: Function, roles: Roles) -> bool:
    """Tell whether a check of one `return` is proved to be false exactly where the branch, which can hold, holds."""
    match function.tree.body[1:]:
        case [ast.Return(value=ast.expr() as value)]:
            fine = write(value)
        case _:
            return False
    parameters = {text: name for name, role in roles.by_parameter.items() for text in role.texts}
    try:
        tree = parse(subject.entry.guard.branch)
    except Unknown:
        return False
    if not is_shallow(tree):
        return False
    renamed = _Renaming(parameters, subject.surroundings.definitions.trees, _DEEPEST).visit(tree)
    branch = write(name_members(renamed) if isinstance(renamed, ast.expr) else renamed)
    return compare_conditions(branch, f"not ({fine})") == "equivalent" and not implies(branch, "False")


class _Renaming(Rewriting):
    """Put the names of parameters, and the definitions of names that lead to them, into a condition."""

    def __init__(self, parameters: Mapping[str, str], definitions: Mapping[str, ast.expr], depth: int) -> None:
        self._parameters = parameters
        self._definitions = definitions
        self._depth = depth

    def replace(self, node: ast.AST) -> ast.AST | None:
        """Give what stands for a part: a parameter, or a definition; None to look into it."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            text = write(node)
            if text in self._parameters:
                return ast.Name(self._parameters[text], ast.Load())
            if text in self._definitions and self._depth:
                inner = _Renaming(self._parameters, self._definitions, self._depth - 1)
                return inner.visit(self._definitions[text])
        return None
