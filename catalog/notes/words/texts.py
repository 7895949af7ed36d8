"""What is the source text of an expression, and which are its parts?

Trees are never changed here, so that both are found once for each, and kept on it.
"""

import ast


def write_source(node: ast.AST) -> str:
    """Write an expression as source."""
    known = getattr(node, "_source", None)
    if isinstance(known, str):
        return known
    text = ast.unparse(node)
    node._source = text  # type: ignore[attr-defined]
    return text


def list_parts(node: ast.AST) -> tuple[ast.AST, ...]:
    """Give an expression with all of its parts, the outer before the inner, in the order in which they stand."""
    known = getattr(node, "_parts", None)
    if isinstance(known, tuple):
        return known
    parts: list[ast.AST] = [node]
    for field in node._fields:
        value = getattr(node, field, None)
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.expr | ast.comprehension | ast.keyword):
                parts += list_parts(child)
    found = tuple(parts)
    node._parts = found  # type: ignore[attr-defined]
    return found
