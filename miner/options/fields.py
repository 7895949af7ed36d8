"""A class → the configuration fields that it declares: dataclasses, pydantic models, structs, attrs and their kin."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from miner.options.atlas import Atlas, Place
from miner.options.outline import Assignment, parse, read_assignment, unquote
from miner.options.wording import read_description, read_text, tidy
from miner.wording import write_expression

_DECORATORS = re.compile(
    r"(?:[\w.]+\.)?(?:dataclass|attrs|define|frozen|mutable)\b|attrs?\.(?:s|dataclass|define|frozen|mutable)\b"
)
_BASES = re.compile(r"(?:[\w.]+\.)?(?:BaseModel|BaseSettings|Struct|RootModel|SQLModel|ModelOutput|Schema)\Z")
_TRANSFORM = re.compile(r"(?:[\w.]+\.)?dataclass_transform\b")
_MARKERS = frozenset(("Field", "field", "attrib", "ib", "Factory"))
_BOUNDS = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<", "min_length": "length >=", "max_length": "length <="}
_MAX_DEFAULT = 200


@dataclass(frozen=True, slots=True)
class Metadata:
    """What an annotation or default says besides type and value, as keyword arguments."""

    given: dict[str, cst.BaseExpression]
    """By keyword; a text of its own counts as `help`."""
    generated: bool
    """The annotation carries a text or an `Arg`, from which a flag may be made."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a class."""

    name: str
    owner: Place
    line: int
    annotation: cst.BaseExpression | None
    """The declared type, without the metadata of `Annotated`."""
    default: str | None
    help: str | None
    settable: bool
    metadata: Metadata


def holds_fields(atlas: Atlas, place: Place) -> bool:
    """Tell whether a class's annotated names are fields by which it is made."""
    return is_marked(atlas, place) or is_plain(place) or is_based(atlas, place)


def is_plain(place: Place) -> bool:
    """Tell whether a class is a dataclass of a library: it may be anything."""
    return any(map(_DECORATORS.match, place.outline.read_decorators(place.unit)))


def is_marked(atlas: Atlas, place: Place) -> bool:
    """Tell whether a class has a decorator of the target's own that makes dataclasses."""
    for decorator in place.outline.read_decorators(place.unit):
        head = re.match(r"[\w.]+", decorator)
        qualified = atlas.resolve(head[0], place.outline) if head is not None else None
        maker = atlas.find(qualified) if qualified is not None else None
        if maker is not None and any(map(_TRANSFORM.match, maker.outline.read_decorators(maker.unit))):
            return True
    return False


def is_based(atlas: Atlas, place: Place) -> bool:
    """Tell whether a class derives from a model or struct of a library."""
    return any(
        _BASES.match(base)
        for facts, class_ in atlas.world.list_ancestry(place.qualified)
        for base in class_.bases
        if f"{facts.module}.{base}" != place.qualified
    )


def list_fields(atlas: Atlas, place: Place) -> dict[str, Field]:
    """List the fields of a class by name, its own and those of the classes that it derives from."""
    found: dict[str, Field] = {}
    for home in atlas.list_ancestry(place):
        if holds_fields(atlas, home):
            for field in read_fields(home):
                found.setdefault(field.name, field)
    return found


def read_fields(place: Place) -> Iterator[Field]:
    """Read the fields that stand in a class's own body."""
    text, rows = place.outline.text, place.unit.rows
    for index, row in enumerate(rows):
        if row.start in place.unit.nested or not row.word or row.indent != rows[0].indent:
            continue
        found = read_assignment(text, row)
        if found is None or found.annotation is None or "." in found.name:
            continue
        annotation = unquote(parse(found.annotation))
        if annotation is None or re.match(r"(?:\w+\.)?(?:ClassVar|Final)\b", found.annotation):
            continue
        yield _make_field(place, found, annotation, read_description(text, rows, index))


def _make_field(place: Place, found: Assignment, annotation: cst.BaseExpression, words: str | None) -> Field:
    value = parse(found.value) if found.value is not None else None
    inner, notes = _split_annotated(annotation)
    given: dict[str, cst.BaseExpression] = {}
    generated = False
    for note in notes:
        if read_text(note) is not None:
            given.setdefault("help", note)
            generated = True
        elif isinstance(note, cst.Call):
            given.update(_read_keywords(note))
            generated = generated or _name_call(note) in ("Arg", "Option", "Argument")
    default = found.value
    if isinstance(value, cst.Call) and _name_call(value) in _MARKERS:
        given.update(_read_keywords(value))
        default = _read_marked_default(value, given)
    described = given.get("help") or given.get("description") or given.get("doc")
    metadata = given.get("metadata")
    if described is None and isinstance(metadata, cst.Dict):
        described = _read_entry(metadata, "help") or _read_entry(metadata, "description")
    help_ = read_text(described) if described is not None else None
    init = given.get("init")
    derived = isinstance(init, cst.Name) and init.value == "False"
    settable = not derived and not found.name.startswith("_") and not _is_derived(notes)
    return Field(
        found.name,
        place,
        found.line,
        inner,
        default if default is None or len(default) <= _MAX_DEFAULT else default[: _MAX_DEFAULT - 1] + "…",
        tidy(help_) if help_ else words,
        settable,
        Metadata(given, generated),
    )


def _is_derived(notes: tuple[cst.BaseExpression, ...]) -> bool:
    return any(isinstance(note, cst.Call) and _name_call(note) == "Derived" for note in notes)


def _split_annotated(node: cst.BaseExpression) -> tuple[cst.BaseExpression, tuple[cst.BaseExpression, ...]]:
    if not isinstance(node, cst.Subscript):
        return node, ()
    head = write_expression(node.value).rpartition(".")[2]
    inner = [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index)]
    if head in ("SkipValidation", "Required", "NotRequired", "InitVar") and len(inner) == 1:
        return _split_annotated(inner[0])
    if head in ("Annotated", "A") and len(inner) > 1:
        deeper, notes = _split_annotated(inner[0])
        return deeper, (*notes, *inner[1:])
    return node, ()


def _name_call(node: cst.Call) -> str:
    return write_expression(node.func).rpartition(".")[2]


def _read_keywords(node: cst.Call) -> dict[str, cst.BaseExpression]:
    return {each.keyword.value: each.value for each in node.args if each.keyword is not None}


def _read_marked_default(node: cst.Call, given: dict[str, cst.BaseExpression]) -> str | None:
    if "default" in given:
        return write_expression(given["default"])
    factory = given.get("default_factory") or given.get("factory")
    if factory is not None:
        made = write_expression(factory)
        return made.removeprefix("lambda: ") if made.startswith("lambda:") else f"{made}()"
    first = node.args[0] if node.args else None
    if first is not None and first.keyword is None and not first.star and not isinstance(first.value, cst.Ellipsis):
        return write_expression(first.value)
    return None


def _read_entry(node: cst.Dict, key: str) -> cst.BaseExpression | None:
    for element in node.elements:
        if isinstance(element, cst.DictElement) and read_text(element.key) == key:
            return element.value
    return None


def list_choices(atlas: Atlas, field: Field) -> tuple[str, ...]:
    """List what a field takes: the values of a `Literal` or of a list of choices, or its bounds."""
    outline = field.owner.outline
    given = field.metadata.given
    choices = _list_values(atlas, given["choices"], outline.facts.module, 0) if "choices" in given else ()
    if not choices and field.annotation is not None:
        choices = _list_values(atlas, field.annotation, outline.facts.module, 0)
    bounds = tuple(f"{sign} {write_expression(given[key])}" for key, sign in _BOUNDS.items() if key in given)
    return choices or bounds


def _list_values(atlas: Atlas, node: cst.BaseExpression, module: str, depth: int) -> tuple[str, ...]:
    outline = atlas.open(module)
    if outline is None or depth > 4:
        return ()
    match node:
        case cst.BinaryOperation(operator=cst.BitOr()):
            return (
                *_list_values(atlas, node.left, module, depth + 1),
                *_list_values(atlas, node.right, module, depth + 1),
            )
        case cst.Subscript():
            head = write_expression(node.value).rpartition(".")[2]
            inner = [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index)]
            if head == "Literal":
                return tuple(value for each in inner for value in (_list_literal(atlas, each, module, depth)) if value)
            if head in ("Optional", "Union"):
                return tuple(value for each in inner for value in _list_values(atlas, each, module, depth + 1))
            return ()
        case cst.List() | cst.Tuple() | cst.Set():
            texts = [read_text(each.value) or write_expression(each.value) for each in node.elements]
            return tuple(texts)
        case cst.Name() | cst.Attribute():
            qualified = atlas.resolve(write_expression(node), outline)
            found = atlas.find_global(qualified) if qualified is not None else None
            value = found[0].globals[found[1]].value if found is not None else None
            parsed = parse(value) if value is not None else None
            if found is None or parsed is None:
                return ()
            return _list_values(atlas, parsed, found[0].facts.module, depth + 1)
        case _:
            return ()


def _list_literal(atlas: Atlas, node: cst.BaseExpression, module: str, depth: int) -> tuple[str, ...]:
    text = read_text(node)
    if text is not None:
        return (text,)
    if isinstance(node, cst.Name) and node.value not in ("None", "True", "False"):
        return _list_values(atlas, node, module, depth + 1)
    return (write_expression(node),)


def list_types(node: cst.BaseExpression | None) -> Iterator[cst.BaseExpression]:
    """List the members of an annotation that is a union, without `None`."""
    match node:
        case cst.BinaryOperation(operator=cst.BitOr()):
            yield from list_types(node.left)
            yield from list_types(node.right)
        case cst.Subscript():
            head = write_expression(node.value).rpartition(".")[2]
            inner = [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index)]
            if head in ("Optional", "Union", "Annotated", "SkipValidation", "InitVar", "Final"):
                for each in inner[:1] if head == "Annotated" else inner:
                    yield from list_types(each)
            else:
                yield node
        case cst.SimpleString():
            yield from list_types(unquote(node)) if unquote(node) is not node else ()
        case cst.Name(value="None") | None:
            return
        case _:
            yield node
