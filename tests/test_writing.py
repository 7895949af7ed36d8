from pathlib import Path

import libcst as cst
import pytest

from miner.writing import write_bare, write_source

EMPTY = cst.Module([])
SNIPPETS = [
    "x",
    "( x )",
    "a . b .c",
    "not  x",
    "- x ** ~ y",
    "a  <b<= c  is  not d not  in e != f",
    "f ( a , *b, ** c, d = 1, )",
    "f(*  a, **{'x': 1})",
    "x [ 1 : 2, ..., *y ] [ 0 , ]",
    "((a) + b)//c @ d",
    "(\n  a  # why\n  and b\n)",
    "(a, b), [1, ], {2}, {3: 4}",
    "f'{a!r:>{b}}' 'c'",
    "lambda x, *y: x",
    "[a for a in b if c]",
    "(yield x)",
    "(x := 1)",
    "a if b else c",
    "0x1F + 1e3 - 2j",
    "await x",
]


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_an_expression_is_written_as_it_was(snippet: str) -> None:
    node = cst.parse_expression(snippet)
    assert write_source(node) == EMPTY.code_for_node(node) == snippet
    bare = node.with_changes(lpar=(), rpar=()) if getattr(node, "lpar", ()) else node
    assert write_bare(node) == EMPTY.code_for_node(bare)


class Writer(cst.CSTVisitor):
    def __init__(self) -> None:
        self.seen = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.BaseExpression):
            self.seen += 1
            assert write_source(node) == EMPTY.code_for_node(node)
        return True


@pytest.mark.parametrize("name", ["argparse.py", "dataclasses.py", "typing.py"])
def test_every_expression_of_a_library_module_is_written_as_libcst_writes_it(name: str) -> None:
    import argparse

    writer = Writer()
    cst.parse_module((Path(argparse.__file__).parent / name).read_text(encoding="utf-8")).visit(writer)
    assert writer.seen > 1000


def test_missing_commas_and_signs_get_the_defaults_of_libcst() -> None:
    call = cst.Call(cst.Name("f"), [cst.Arg(cst.Name("a")), cst.Arg(cst.Name("b"), keyword=cst.Name("c"))])
    assert write_source(call) == EMPTY.code_for_node(call)
