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
    known = getattr(node, "_inner", None)
    if isinstance(known, tuple):
        return (node, *known)
    inner = tuple(part for child in list_children(node) for part in list_parts(child))
    node._inner = inner  # type: ignore[attr-defined]  # without the node itself, so that it is freed when it is done with
    return (node, *inner)


def list_children(node: ast.AST) -> tuple[ast.AST, ...]:
    """Give the parts that an expression is directly made of."""
    children: list[ast.AST] = []
    for field in node._fields:
        value = getattr(node, field, None)
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.expr | ast.comprehension | ast.keyword):
                children.append(child)
    return tuple(children)
