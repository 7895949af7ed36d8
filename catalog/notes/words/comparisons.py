"""How does a comparison read?"""

import ast

from catalog.notes.words.members import is_tensor_type
from catalog.notes.words.names import Names
from catalog.notes.words.nouns import join_nouns, list_origins, say_noun, write_code
from catalog.notes.words.phrases import Phrase, Said, join
from catalog.notes.words.texts import write_source

_ORDERINGS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Gt: ("greater than", "more than"),
    ast.Lt: ("less than", "fewer than"),
    ast.GtE: ("at least", "at least"),
    ast.LtE: ("at most", "at most"),
}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.Lt,
    ast.Lt: ast.Gt,
    ast.GtE: ast.LtE,
    ast.LtE: ast.GtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
    ast.Is: ast.Is,
    ast.IsNot: ast.IsNot,
}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.LtE, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.LtE: ast.Gt}
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}
_MOST_LISTED = 12
_MOST_SHOWN = 3


def say_comparison(node: ast.Compare, names: Names, wanted: bool) -> Said:
    """Say a comparison, or that it does not hold."""
    if len(node.ops) == 1:
        return _say_pair(node.left, node.ops[0], node.comparators[0], names, wanted)
    sides = [node.left, *node.comparators]
    if len(node.ops) == 2 and all(isinstance(op, ast.Lt | ast.LtE) for op in node.ops):
        return _say_range(sides, node.ops, names, wanted)
    pairs = zip(sides, node.ops, sides[1:], strict=False)
    return join("and" if wanted else "or", (_say_pair(*pair, names, wanted) for pair in pairs))


def _say_pair(left: ast.expr, op: ast.cmpop, right: ast.expr, names: Names, wanted: bool) -> Said:
    if is_constant(left) and not is_constant(right) and type(op) in _MIRRORED:
        left, op, right = right, _MIRRORED[type(op)](), left
    if type(op) in _OPPOSITES:
        op, wanted = _OPPOSITES[type(op)](), not wanted
    match left, op, right:
        case _, ast.In(), _:
            return _say_membership(left, right, names, wanted)
        case ast.Tuple(elts=one), ast.Eq(), ast.Tuple(elts=two) if len(one) == len(two):
            pairs = zip(one, two, strict=True)
            return join("and" if wanted else "or", (_say_pair(a, ast.Eq(), b, names, wanted) for a, b in pairs))
        case (
            ast.Compare(left=one, ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
            ast.Eq(),
            ast.Compare(left=other, ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
        ):
            return _say_alike(one, other, names, wanted)
        case _, ast.Is() | ast.Eq(), ast.Constant(value=None):
            known = names.find(left) is not None
            predicate = ("is not set" if wanted else "is set") if known else f"is {_not(wanted)}`None`"
            return Phrase(say_noun(left, names), predicate)
        case ast.Call(func=ast.Attribute(value=text, attr="strip"), args=[]), ast.Eq(), ast.Constant(value=""):
            return Phrase(say_noun(text, names), f"is {_not(wanted)}blank")
        case ast.Call(
            func=ast.Name(id="sum"), args=[ast.List(elts=parts) | ast.Tuple(elts=parts)]
        ), ast.Gt() | ast.LtE(), (ast.Constant(value=1)) if len(parts) > 1:
            wanted = wanted is isinstance(op, ast.Gt)
            listed = join_nouns([noun for part in parts for noun in list_origins(part, names)])
            return Phrase(f"{'more than' if wanted else 'at most'} one of {listed}", "is in use at once")
        case _, ast.Is() | ast.Eq(), ast.Constant(value=bool() as value) if names.sort(left) == "yes or no":
            if names.find(left) is not None:
                return Phrase(say_noun(left, names), f"is {_not(wanted)}{'on' if value else 'off'}")
            return Phrase(say_noun(left, names), f"is {_not(wanted)}{'true' if value else 'false'}")
        case ast.Call(func=ast.Name(id="len"), args=[measured]), _, _:
            return _say_length(measured, op, right, names, wanted)
        case ast.BinOp(left=base, op=ast.Mod(), right=by), ast.Eq(), ast.Constant(value=0):
            return Phrase(say_noun(base, names), f"is {_not(wanted)}divisible by {say_noun(by, names)}")
        case ast.Call(func=ast.Name(id="type"), args=[value]), ast.Is() | ast.Eq(), _:
            return Phrase(say_noun(value, names), f"is {_not(wanted)}exactly of the type {say_noun(right, names)}")
        case _, ast.LtE() | ast.GtE(), _ if "several" in (names.sort(left), names.sort(right)):
            part, whole = (left, right) if isinstance(op, ast.LtE) else (right, left)
            return Phrase(say_noun(part, names), f"is {_not(wanted)}a subset of {say_noun(whole, names)}")
        case _, ast.Gt() | ast.Lt() | ast.GtE() | ast.LtE(), _:
            if not wanted and _is_whole(left, names):
                op, wanted = _TURNED[type(op)](), True
            words = _ORDERINGS[type(op)][0]
            return Phrase(say_noun(left, names), f"is {_not(wanted)}{words} {say_noun(right, names)}")
    return _say_equality(left, right, names, wanted)


def _is_whole(node: ast.expr, names: Names) -> bool:
    """Tell whether a side is an option that takes whole numbers, so that an ordering has an opposite."""
    place = names.find(node)
    declared = (place.option.type or "") if place is not None else ""
    return "int" in declared and "float" not in declared


def _say_alike(one: ast.expr, other: ast.expr, names: Names, wanted: bool) -> Phrase:
    """Say that two values are set or unset alike, or that just one is set."""
    nouns = f"{say_noun(one, names)} and {say_noun(other, names)}"
    known = names.find(one) is not None or names.find(other) is not None
    if not wanted:
        return Phrase(f"exactly one of {nouns}", "is set")
    return Phrase("", f"{nouns} are both {'set or both unset' if known else '`None` or both not'}")


def _say_equality(left: ast.expr, right: ast.expr, names: Names, wanted: bool) -> Phrase:
    subject, other = say_noun(left, names), say_noun(right, names)
    if is_own_default(left, right, names):
        return Phrase(subject, "is left as it is by default" if wanted else "is changed from its default")
    if is_constant(right):
        return Phrase(subject, f"is {_not(wanted)}{other}")
    return Phrase(subject, f"equals {other}" if wanted else f"differs from {other}")


def is_own_default(left: ast.expr, right: ast.expr, names: Names) -> bool:
    """Tell whether an option is compared with the value that its own class gives it: `Oven.heat`."""
    place = names.find(left)
    return (
        place is not None
        and isinstance(right, ast.Attribute)
        and place.option.id.endswith(write_source(right))
        and write_source(right).partition(".")[0][:1].isupper()
    )


def _say_length(measured: ast.expr, op: ast.cmpop, right: ast.expr, names: Names, wanted: bool) -> Phrase:
    match measured, right:
        case ast.Call(func=ast.Name(id="set"), args=[inner]), ast.Call(func=ast.Name(id="len"), args=[other]) if (
            ast.dump(inner) == ast.dump(other)
        ):
            measured, right = inner, ast.Call(ast.Name("len", ast.Load()), [measured], [])
    subject = say_noun(measured, names)
    is_text = names.sort(measured) == "text"
    if isinstance(op, ast.Eq | ast.Is):
        match right:
            case ast.Constant(value=0):
                return Phrase(subject, f"is {_not(wanted)}empty")
            case ast.Call(func=ast.Name(id="len"), args=[ast.Call(func=ast.Name(id="set"), args=[other])]) if ast.dump(
                other
            ) == ast.dump(measured):
                return Phrase(subject, "has no value twice" if wanted else "has a value more than once")
            case ast.Call(func=ast.Name(id="len"), args=[other]):
                verb = "has the same length as" if wanted else "differs in length from"
                return Phrase(subject, f"{verb} {say_noun(other, names)}")
        return Phrase(subject, f"has a length {'of' if wanted else 'other than'} {say_noun(right, names)}")
    if isinstance(right, ast.Constant) and (type(op), right.value) in ((ast.Lt, 1), (ast.LtE, 0)):
        return Phrase(subject, f"is {_not(wanted)}empty")
    if isinstance(right, ast.Constant) and (type(op), right.value) in ((ast.GtE, 1), (ast.Gt, 0)):
        return Phrase(subject, f"is {_not(not wanted)}empty")
    word = _ORDERINGS[type(op)][1]
    unit = ("character" if is_text else "item") + ("" if isinstance(right, ast.Constant) and right.value == 1 else "s")
    verb = "has" if wanted else "does not have"
    match right:
        case ast.Call(func=ast.Name(id="len"), args=[other]):
            return Phrase(
                subject, f"{verb} {word} as many {unit} as {say_noun(other, names)}".replace("than as", "than")
            )
    return Phrase(subject, f"{verb} {word} {say_noun(right, names)} {unit}")


def _say_range(sides: list[ast.expr], ops: list[ast.cmpop], names: Names, wanted: bool) -> Phrase:
    low, middle, high = sides
    subject = say_noun(middle, names)
    if _is_infinite(high):
        if wanted:
            return Phrase(subject, f"is finite and {_from(low, ops[0], names)}")
        return Phrase(subject, f"is not finite or not {_from(low, ops[0], names)}")
    bounds = f"{_bound(low, ops[0], names)} to {_bound(high, ops[1], names)}"
    return Phrase(subject, f"is {'in' if wanted else 'outside'} the range from {bounds}")


def _from(low: ast.expr, op: ast.cmpop, names: Names) -> str:
    return f"{'greater than' if isinstance(op, ast.Lt) else 'at least'} {say_noun(low, names)}"


def _bound(side: ast.expr, op: ast.cmpop, names: Names) -> str:
    return say_noun(side, names) + (" (excluded)" if isinstance(op, ast.Lt) else "")


def _is_infinite(node: ast.expr) -> bool:
    return write_source(node) in ("float('inf')", "math.inf", "np.inf", "inf")


def _say_membership(left: ast.expr, right: ast.expr, names: Names, wanted: bool) -> Said:
    match right:
        case ast.Tuple(elts=members) | ast.List(elts=members) | ast.Set(elts=members) if members and not any(
            isinstance(member, ast.Starred) for member in members
        ):
            if len(members) == 1:
                return _say_pair(left, ast.Eq(), members[0], names, wanted)
            return Phrase(say_noun(left, names), _say_members(members, names, wanted, names.find(left) is not None))
        case ast.Call(func=ast.Attribute(value=mapping, attr="keys"), args=[]):
            return Phrase(say_noun(left, names), f"is {_not(wanted)}a key of {say_noun(mapping, names)}")
        case ast.Call(func=ast.Attribute(value=mapping, attr="values"), args=[]):
            return Phrase(say_noun(left, names), f"is {_not(wanted)}a value of {say_noun(mapping, names)}")
    if is_constant(left):
        verb = "contains" if wanted else "does not contain"
        return Phrase(say_noun(right, names), f"{verb} {say_noun(left, names)}")
    word = "among" if _is_named_list(right) else "in"
    return Phrase(say_noun(left, names), f"is {_not(wanted)}{word} {say_noun(right, names)}")


def _say_members(members: list[ast.expr], names: Names, wanted: bool, known: bool) -> str:
    """Say what a value is one of; that it may be unset comes last."""
    values = [member for member in members if not (known and _is_none(member))]
    nouns = list(dict.fromkeys(say_noun(value, names) for value in values))
    unset = len(values) < len(members)
    most = _MOST_LISTED if known else _MOST_SHOWN
    if len(nouns) > most + 1:
        nouns = [*nouns[:most], f"{len(nouns) - most} others"]
    if wanted:
        return f"is {join_nouns([*nouns, *(['unset'] if unset else [])], 'or')}"
    denied = f"not {nouns[0]}" if len(nouns) == 1 else f"none of {join_nouns(nouns)}"
    if len(nouns) == 2:
        denied = f"neither {' nor '.join(nouns)}"
    return f"is set but {denied}" if unset else f"is {denied}"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_constant(node: ast.expr) -> bool:
    """Tell whether an expression is a literal, or by its capitals a constant or the member of an enumeration."""
    match node:
        case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case ast.Attribute(attr=attr, value=ast.Name() | ast.Attribute()):
            return is_tensor_type(node) or (attr.isupper() and write_code(node)[:1].isupper())
        case ast.Name(id=name):
            return name.isupper() and len(name) > 1
    return False


def _is_named_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and write_source(node).rpartition(".")[2].isupper()


def _not(wanted: bool) -> str:
    return "" if wanted else "not "
