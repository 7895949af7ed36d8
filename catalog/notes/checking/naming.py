"""Does everything that the note names exist: options, flags, keys, variables, symbols, files, values?"""

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from catalog.notes.checking.numbers import has_number
from catalog.notes.checking.subject import Subject
from catalog.notes.evaluate import Unknown, is_shallow, parse
from catalog.notes.strangers import find_meant, say_option, suggest
from catalog.records import Verification

_CODE = re.compile(r"``(.+?)``|`([^`\n]+)`")
_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
_VARIABLE = re.compile(r"(?<![\w$./-])(?=[A-Z0-9]{1,80}_)[A-Z][A-Z0-9_]{1,120}(?<!_)(?![\w/-]|\.\w)")
_SNAKE = re.compile(r"(?<![\w./-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/-])")
_FILE = re.compile(
    r"(?<![\w/.:-])(?:[\w.-]+/)*[\w-]+\.(?:py|pyi|toml|json|ya?ml|cfg|ini|txt|md|sh|cu|cpp|h|rs)(?![\w/])"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_PLAIN = frozenset({*dir(builtins), *keyword.kwlist, "null", "true", "false", "self", "cls", "math", "os", "environ"})
_SAID_OF_SOURCE = frozenset({"meaning"})
"""Where the source may be spoken of in its own names."""


def check_names(subject: Subject) -> Verification:
    """Look up everything that the note names, in its prose and in its snippets."""
    inventory = _Inventory(subject)
    complaints: list[str] = []
    count = 0
    for place, text in subject.texts:
        for _, complaint in inventory.look_through(text, place):
            count += 1
            if complaint:
                complaints.append(f"{place}: {complaint}")
    for place, text in list_comments(subject):
        complaints += [f"{place}: {complaint}" for _, complaint in inventory.look_through(text, place) if complaint]
    for scene in subject.scenes:
        count += len(scene.settings.settings) + len(scene.settings.givens)
        complaints += [f"example, {scene.which}: {stranger}" for stranger in scene.choices.strangers]
        complaints += [
            f"example, {scene.which}: {reason}" for reason in inventory.look_at_givens(scene.settings.givens)
        ]
    if complaints:
        return Verification("names", False, "; ".join(dict.fromkeys(complaints)))
    return Verification("names", True, f"all {count} exist" if count else "the note names nothing")


def list_comments(subject: Subject) -> Iterator[tuple[str, str]]:
    """Give the comments of the snippets, but for what they take as given."""
    note = subject.note
    sides = [("before", note.example.before), ("after", note.example.after)] if note.example is not None else []
    for which, snippet in sides:
        comments = [line.partition("#")[2] for line in snippet.splitlines() if "#" in line and "given:" not in line]
        yield f"example, {which}", "\n".join(comments)


@dataclass
class _Inventory:
    """What may be named in one note."""

    subject: Subject

    @cached_property
    def own_text(self) -> str:
        """All that the entry itself says."""
        entry = self.subject.entry
        guard, site = entry.guard, entry.site
        parts = [
            guard.branch,
            guard.condition,
            site.signature or "",
            site.qualname,
            site.module,
            site.path,
            site.docstring or "",
        ]
        parts += [f"{binding.name} {binding.value}" for binding in guard.bindings]
        parts += [clause.test for clause in guard.clauses]
        parts += [step for use in entry.options for step in (use.as_, *use.via)]
        if entry.message is not None:
            parts += [entry.message.template, *(alternative.template for alternative in entry.message.alternatives)]
        parts += [entry.excerpt.text, entry.exception.qualified or "", entry.exception.name, *entry.exception.bases]
        options = (self.subject.facts.options.get(use.id) for use in entry.options)
        parts += [f"{option.type} {option.default} {option.choices} {option.help}" for option in options if option]
        return "\n".join(parts)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The identifiers in all that the entry itself says."""
        return frozenset(_WORD.findall(self.own_text))

    def look_through(self, text: str, place: str) -> Iterator[tuple[str, str | None]]:
        """Give each name in a text, with what is wrong with it."""
        rest = text
        for match in _CODE.finditer(text):
            code = match[1] or match[2]
            rest = rest.replace(match[0], " ")
            yield from self._look_at_code(code.strip(), place)
        for pattern, look in ((_FLAG, self._find_flag), (_FILE, self._find_file), (_VARIABLE, self._find_symbol)):
            for match in pattern.finditer(rest):
                yield match[0], look(match[0])
            rest = pattern.sub(" ", rest)
        for match in _SNAKE.finditer(rest):
            yield match[0], self._find_word(match[0], place)

    def look_at_givens(self, givens: object) -> Iterator[str]:
        """Say which given names the condition doesn't have."""
        for name in givens if isinstance(givens, dict) else ():
            words = _WORD.findall(name)
            missing = [word for word in words if word not in self.own_words and word not in _PLAIN]
            options = self.subject.surroundings.options.get(name, ())
            if len(options) == 1:
                called = say_option(options[0], self.subject.facts, name)
                yield f"`{name}` is given, but users set it as {called}; set that"
            elif missing:
                yield f"`{name}` is given, but the source around the site doesn't have `{missing[0]}`"

    def _look_at_code(self, code: str, place: str) -> Iterator[tuple[str, str | None]]:
        if _FLAG.match(code) or " --" in code or code.startswith("-"):
            for flag in _FLAG.findall(code):
                yield flag, self._find_flag(flag)
            return
        if _FILE.fullmatch(code):
            yield code, self._find_file(code)
            return
        try:
            tree = parse(code)
        except Unknown:
            yield from ((name, self._find_symbol(name)) for name in _VARIABLE.findall(code))
            return
        if is_shallow(tree):
            yield from self._look_at_tree(tree, place)

    def _look_at_tree(self, tree: ast.expr, place: str) -> Iterator[tuple[str, str | None]]:
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name):
                    yield name, self._find_word(name, place)
                case ast.Attribute(attr=name) | ast.keyword(arg=str() as name):
                    yield name, self._find_word(name, "meaning" if isinstance(node, ast.Attribute) else place)
                case ast.Constant(value=str() as value) if value.strip():
                    yield value, self._find_text(value)
                case ast.Constant(value=int() | float() as value) if node is not tree and not isinstance(value, bool):
                    yield str(value), self._find_number(value)

    def _find_flag(self, flag: str) -> str | None:
        facts = self.subject.facts
        if flag in facts.flags or re.search(rf"{re.escape(flag)}(?![\w-])", self.own_text):
            return None
        near = suggest(flag, facts.flags)
        return f"`{flag}` is no flag" + (f"; did you mean `{near}`?" if near else "")

    def _find_file(self, path: str) -> str | None:
        files = self.subject.facts.files
        if path in self.own_text or any(file == path or file.endswith(f"/{path}") for file in files):
            return None
        return f"no file of the target is called `{path}`"

    def _find_symbol(self, name: str) -> str | None:
        facts = self.subject.facts
        if name in facts.names or name in facts.symbols or name in self.own_words:
            return None
        near = suggest(name, facts.names)
        return f"`{name}` is neither a variable nor a name of the source" + (
            f"; did you mean `{near}`?" if near else ""
        )

    def _find_word(self, name: str, place: str) -> str | None:
        """Look up an identifier; a name that only the source has is no name to set."""
        facts = self.subject.facts
        if name in facts.names:
            return None
        meant = find_meant(name, self.subject.entry, facts)
        if meant is not None and place not in _SAID_OF_SOURCE:
            return f"`{name}` can't be set: it is what the source calls {say_option(meant, facts, name)}; name that"
        if name in _PLAIN or name in self.own_words or name in facts.symbols or name in facts.choices:
            return None
        near = suggest(name, facts.names)
        return f"`{name}` exists nowhere" + (f"; did you mean `{near}`?" if near else "")

    def _find_number(self, value: int | float) -> str | None:
        """Look up a number inside code: it stands as the source has it."""
        if has_number(self.own_text, value):
            return None
        return f"the number {value} in code is none that the source around the site has"

    def _find_text(self, value: str) -> str | None:
        """Look up a value in quotes: some choice, or a text that the source has."""
        escaped = (repr(value)[1:-1], value.encode("unicode_escape").decode())
        if value in self.subject.facts.choices or any(text in self.own_text for text in (value, *escaped)):
            return None
        return f"the value {value!r} is none that the source around the site knows"
