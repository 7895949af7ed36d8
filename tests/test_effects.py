"""What an expression reads, what a statement changes, and whether the one disturbs the other."""

import libcst as cst
import pytest

from miner.effects import (
    CONTENT,
    IDENTITY,
    REACHABLE,
    Effect,
    Mutate,
    Read,
    Rebind,
    disturbs,
    find_consumed,
    find_path,
    find_reads,
    find_statement_effects,
    find_targets,
    write_path,
)


def statement(text: str) -> cst.BaseSmallStatement:
    line = cst.parse_statement(text)
    assert isinstance(line, cst.SimpleStatementLine)
    return line.body[0]


def effects_of(text: str) -> tuple[Effect, ...]:
    return tuple(find_statement_effects(statement(text)))


DISTURBED = [
    ("a = 1", "a"),
    ("a = 1", "a.b"),
    ("a = 1", "a[0]"),
    ("a += 1", "a > 1"),
    ("a: int = 1", "a"),
    ("a, b = c", "b"),
    ("[a, *b] = c", "b"),
    ("(a, (b, c)) = d", "c"),
    ("a = b = c", "b"),
    ("del a", "a"),
    ("a.b = 1", "a.b"),
    ("a.b = 1", "c.b"),
    ("a.b = 1", "a.b.c"),
    ("a.b.c = 1", "x.c"),
    ("f().b = 1", "a.b"),
    ("setattr(a, 'b', 1)", "a.b"),
    ("setattr(a, name, 1)", "a.b"),
    ("a.b = 1", "f(a)"),
    ("a[0] = 1", "a[0]"),
    ("a[0] = 1", "len(a)"),
    ("a[0] = 1", "1 in a"),
    ("a[0] = 1", "a == b"),
    ("del a[0]", "a[1]"),
    ("a.append(1)", "a"),
    ("a.append(1)", "len(a)"),
    ("a.append(1)", "x in a"),
    ("a.b.append(1)", "a.b"),
    ("a.update(b)", "a.get('k')"),
    ("f(a)", "a.b"),
    ("f(a)", "a[0]"),
    ("f(a)", "len(a)"),
    ("f(k=a)", "a.b"),
    ("f(*a)", "a[0]"),
    ("f((a, 1))", "a.b"),
    ("f(a.b)", "a.b.c"),
    ("x = f(a)", "a.b"),
    ("super().f()", "self.a"),
    ("self.f()", "self.a"),
    ("self.f()", "self.a.b"),
    ("(a := 1)", "a"),
    ("f(a := 1)", "a"),
    ("a.b = 1", "[x.b for x in y]"),
]
LEFT_ALONE = [
    ("a = 1", "b"),
    ("a = 1", "b.a"),
    ("a = 1", "'a'"),
    ("a = 1", "[a for a in b]"),
    ("a = 1", "any(a.x for a in b)"),
    ("a = 1", "(lambda a: a)"),
    ("a: int", "a"),
    ("a.b = 1", "a.c"),
    ("a.b = 1", "a is None"),
    ("a.b = 1", "len(a)"),
    ("a.b = 1", "b"),
    ("a[0] = 1", "a is None"),
    ("a[0] = 1", "b[0]"),
    ("a[0] = 1", "isinstance(a, list)"),
    ("a.append(1)", "a is None"),
    ("a.append(1)", "b"),
    ("a.append(1)", "type(a) is list"),
    ("a.get('k')", "a['k']"),
    ("x = a.keys()", "a"),
    ("a.is_ready()", "a.b"),
    ("print(a)", "a.b"),
    ("len(a)", "a[0]"),
    ("sorted(a)", "a[0]"),
    ("x = list(a)", "a"),
    ("Thing(a)", "a.b"),
    ("logger.info(a)", "a.b"),
    ("os.path.join(a, b)", "a"),
    ("f(a)", "a is None"),
    ("f(a)", "b"),
    ("f(a.b)", "a.c"),
    ("f(LIMIT)", "LIMIT.x"),
    ("x = lambda: f(a)", "a.b"),
    ("return a", "a"),
    ("raise a", "a"),
]


def touches(change: str, read: str) -> bool:
    reads = find_reads(cst.parse_expression(read))
    return any(disturbs(effect, each) for effect in effects_of(change) for each in reads)


@pytest.mark.parametrize(("change", "read"), DISTURBED)
def test_a_statement_disturbs_what_it_may_change(change: str, read: str) -> None:
    assert touches(change, read)


@pytest.mark.parametrize(("change", "read"), LEFT_ALONE)
def test_a_statement_leaves_alone_what_it_cannot_change(change: str, read: str) -> None:
    assert not touches(change, read)


@pytest.mark.parametrize(
    ("effect", "read", "expected"),
    [
        (Rebind(("a",)), Read(("a",), IDENTITY), True),
        (Rebind(("a", "b")), Read(("a",), CONTENT), False),
        (Rebind(("a", "b")), Read(("a",), REACHABLE), True),
        (Mutate(("a",), deep=False), Read(("a",), IDENTITY), False),
        (Mutate(("a",), deep=False), Read(("a",), CONTENT), True),
        (Mutate(("a",), deep=False), Read(("a", "b"), CONTENT), False),
        (Mutate(("a",), deep=False), Read(("a", "[]"), CONTENT), True),
        (Mutate(("a",), deep=True), Read(("a", "b"), IDENTITY), True),
        (Mutate(("a", "b"), deep=True), Read(("a",), CONTENT), False),
        (Mutate(("a", "b"), deep=True), Read(("a",), REACHABLE), True),
        (Mutate(("a", "b"), deep=True), Read(("a", "c"), REACHABLE), False),
    ],
)
def test_how_deep_a_read_goes_decides(effect: Effect, read: Read, expected: bool) -> None:
    assert disturbs(effect, read) is expected


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a", ("a",)),
        ("a.b.c", ("a", "b", "c")),
        ("a[0].b", ("a", "[]", "b")),
        ("getattr(a, 'b')", ("a", "b")),
        ("getattr(a.b, 'c', None).d", ("a", "b", "c", "d")),
        ("getattr(a, name)", None),
        ("f().a", None),
        ("(a or b).c", None),
    ],
)
def test_a_plain_chain_is_a_path(text: str, path: tuple[str, ...] | None) -> None:
    assert find_path(cst.parse_expression(text)) == path


def test_a_path_is_written_up_to_its_first_element() -> None:
    assert write_path(("a", "b", "[]", "c")) == "a.b"


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("a is None", {("a",): IDENTITY}),
        ("a == b", {("a",): CONTENT, ("b",): CONTENT}),
        ("a.b[c]", {("a", "b", "[]"): CONTENT, ("c",): CONTENT}),
        ("isinstance(a, B)", {("isinstance",): IDENTITY, ("a",): IDENTITY, ("B",): IDENTITY}),
        ("f(a)", {("f",): IDENTITY, ("a",): REACHABLE}),
        ("[x + y for x in xs for y in x]", {("xs",): CONTENT}),
        ("{k: v for k, v in d if p}", {("d",): CONTENT, ("p",): CONTENT}),
        ("a is None or len(a)", {("a",): CONTENT, ("len",): IDENTITY}),
        ("None is True", {}),
        ("f'{a} {b!r}'", {("a",): CONTENT, ("b",): CONTENT}),
    ],
)
def test_an_expression_reads_each_value_at_its_greatest_depth(text: str, reads: dict[tuple[str, ...], int]) -> None:
    assert {read.path: read.depth for read in find_reads(cst.parse_expression(text))} == reads


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("a = 0", [("a",)]),
        ("a.b = 0", [("a", "b")]),
        ("a[i] = 0", [("a", "[]")]),
        ("a, (b, *c) = 0", [("a",), ("b",), ("c",)]),
        ("f().a = 0", [("?", "a")]),
    ],
)
def test_an_assignment_binds_its_targets(text: str, targets: list[tuple[str, ...]]) -> None:
    node = statement(text)
    assert isinstance(node, cst.Assign)
    assert list(find_targets(node.targets[0].target)) == targets


@pytest.mark.parametrize(
    ("text", "consumed"),
    [
        ("a.pop()", [("a",)]),
        ("E(f'{a.b.pop(0)}')", [("a", "b")]),
        ("next(a)", [("a",)]),
        ("(a := 1)", [("a",)]),
        ("a.copy()", []),
        ("f(a)", []),
        ("(lambda: a.pop())", []),
    ],
)
def test_what_a_message_consumes(text: str, consumed: list[tuple[str, ...]]) -> None:
    assert [effect.path for effect in find_consumed(cst.parse_expression(text))] == consumed
