"""How is a part of a tree written as source, so that it can be looked up?"""

import ast


def write(node: ast.AST) -> str:
    """Write a part of a tree; what Python can't write in one line is told apart by its structure."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):  # such as a backslash inside an f-string
        return ast.dump(node)
