"""Names → what they mean across the target: qualified names, bases of exceptions, texts of constants."""

import builtins
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from miner.facts import ClassFacts, ModuleFacts

_MAX_HOPS = 12
_LIBRARY_BASES = {
    "json.JSONDecodeError": "ValueError",
    "json.decoder.JSONDecodeError": "ValueError",
    "asyncio.TimeoutError": "TimeoutError",
    "asyncio.CancelledError": "BaseException",
    "asyncio.QueueEmpty": "Exception",
    "asyncio.QueueFull": "Exception",
    "concurrent.futures.TimeoutError": "TimeoutError",
    "queue.Empty": "Exception",
    "queue.Full": "Exception",
    "subprocess.CalledProcessError": "Exception",
    "subprocess.TimeoutExpired": "Exception",
    "socket.timeout": "TimeoutError",
    "socket.error": "OSError",
    "socket.gaierror": "OSError",
    "pickle.PicklingError": "Exception",
    "pickle.UnpicklingError": "Exception",
    "argparse.ArgumentTypeError": "Exception",
    "argparse.ArgumentError": "Exception",
    "unittest.SkipTest": "Exception",
    "zipfile.BadZipFile": "Exception",
    "configparser.Error": "Exception",
    "urllib.error.URLError": "OSError",
    "urllib.error.HTTPError": "OSError",
    "dataclasses.FrozenInstanceError": "AttributeError",
    "struct.error": "Exception",
    "binascii.Error": "ValueError",
    "ssl.SSLError": "OSError",
    "shutil.Error": "OSError",
    "decimal.InvalidOperation": "ArithmeticError",
}
_NEWER_BUILTINS = {"PythonFinalizationError": "RuntimeError"}


@dataclass(frozen=True, slots=True)
class World:
    """The facts of every module that the scan has read."""

    modules: Mapping[str, ModuleFacts] = field(default_factory=dict)

    def split(self, qualified: str) -> tuple[ModuleFacts, str] | None:
        """Split a qualified name into the module that is known and the name inside it."""
        parts = qualified.split(".")
        for cut in range(len(parts), 0, -1):
            facts = self.modules.get(".".join(parts[:cut]))
            if facts is not None:
                return facts, ".".join(parts[cut:])
        return None

    def settle(self, qualified: str) -> str:
        """Follow re-exports to the module that defines a name, as far as it is known."""
        for _ in range(_MAX_HOPS):
            found = self.split(qualified)
            if found is None or not found[1]:
                return qualified
            facts, name = found
            head, _, rest = name.partition(".")
            if head in facts.classes or head in facts.functions or head in facts.constants:
                return qualified
            source = facts.imports.get(head) or self._find_in_stars(facts, head)
            if source is None or source == f"{facts.module}.{head}":
                return qualified
            qualified = f"{source}.{rest}" if rest else source
        return qualified

    def _find_in_stars(self, facts: ModuleFacts, name: str) -> str | None:
        for star in self._list_stars(facts):
            other = self.modules.get(star)
            if other is None:
                continue
            if name in other.classes or name in other.functions or name in other.constants or name in other.imports:
                return f"{star}.{name}"
        return None

    def _list_stars(self, facts: ModuleFacts) -> Iterator[str]:
        """List the modules that a module takes everything from, those that these take it from included."""
        seen = {facts.module}
        queue = list(facts.stars)
        while queue:
            star = queue.pop(0)
            if star not in seen:
                seen.add(star)
                yield star
                other = self.modules.get(star)
                queue[:0] = other.stars if other is not None else ()

    def resolve(self, dotted: str, facts: ModuleFacts, local: Mapping[str, str]) -> str | None:
        """Give the qualified name of a dotted one as a module (with a function's own imports) sees it."""
        head, _, rest = dotted.partition(".")
        known = head in facts.classes or head in facts.functions or head in facts.constants
        if head in local:
            start = local[head]
        elif known:
            start = f"{facts.module}.{head}"
        elif head in facts.imports:
            start = facts.imports[head]
        else:
            starred = self._find_in_stars(facts, head)
            if starred is not None:
                start = starred
            elif is_builtin_exception(head):
                start = f"builtins.{head}"
            else:
                return None
        return self.settle(f"{start}.{rest}" if rest else start)

    def find_missing(self, wanted: Iterable[str], places: Container[str]) -> Iterator[str]:
        """Name the modules, of those there are, that these names lead to and whose facts aren't known yet."""
        queue, seen = list(wanted), set[str]()
        while queue:
            name = self.settle(queue.pop())
            if name in seen:
                continue
            seen.add(name)
            found = self.find_class(name)
            if found is not None:
                queue += [base for text in found[1].bases if (base := self._resolve_base(text, name, found[0]))]
            module = _find_module(name, places)
            if module is not None and module not in self.modules:
                yield module
            known = self.split(name)
            if known is not None and known[1]:
                stars = self._list_stars(known[0])
                yield from (star for star in stars if star in places and star not in self.modules)

    def has_class(self, qualified: str) -> bool:
        """Tell whether the target defines a class of this name."""
        return self.find_class(qualified) is not None

    def knows(self, qualified: str) -> bool:
        """Tell whether a name lies in a module that is known."""
        return self.split(qualified) is not None

    def find_method(self, owner: str, name: str) -> str | None:
        """Find a method of a class or of those it derives from, by its qualified name."""
        queue, seen = [owner], set[str]()
        while queue:
            home = queue.pop(0)
            found = self.find_class(home) if home not in seen else None
            if found is None:
                continue
            seen.add(home)
            facts, class_ = found
            if name in class_.methods:
                return f"{home}.{name}"
            queue += [base for text in class_.bases if (base := self.resolve(text, facts, {})) is not None]
        return None

    def find_import(self, facts: ModuleFacts, name: str) -> str | None:
        """Find what a module imports under a name."""
        return facts.imports.get(name)

    def find_class(self, qualified: str) -> tuple[ModuleFacts, ClassFacts] | None:
        """Find a class of the target by its qualified name."""
        found = self.split(qualified)
        if found is None or found[1] not in found[0].classes:
            return None
        return found[0], found[0].classes[found[1]]

    def find_constant(self, qualified: str) -> tuple[ModuleFacts, str] | None:
        """Find the source text of a constant, of a module or of a class and its bases."""
        found = self.split(self.settle(qualified))
        if found is None:
            return None
        facts, name = found
        if name in facts.constants:
            return facts, facts.constants[name]
        owner, _, attribute = name.rpartition(".")
        if owner not in facts.classes:
            return None
        for home, class_ in self.list_ancestry(f"{facts.module}.{owner}"):
            if attribute in class_.constants:
                return home, class_.constants[attribute]
        return None

    def may_be_reset(self, owner: str, attribute: str) -> bool:
        """Tell whether an object of a class may hold another text than the class does, as far as its modules say."""
        return any(attribute in class_.reset for _, class_ in self.list_ancestry(owner))

    def list_ancestry(self, qualified: str) -> Iterator[tuple[ModuleFacts, ClassFacts]]:
        """List a class of the target and those it derives from, nearest first, as far as the target defines them."""
        seen: set[str] = set()
        queue = [qualified]
        while queue:
            name = queue.pop(0)
            found = self.find_class(name)
            if name in seen or found is None:
                continue
            seen.add(name)
            yield found
            resolved = (self._resolve_base(base, name, found[0]) for base in found[1].bases)
            queue += [base for base in resolved if base is not None]

    def list_direct_bases(self, qualified: str) -> tuple[str, ...]:
        """Give the qualified names of the classes a class of the target names as its bases; unknown ones as written."""
        found = self.find_class(qualified)
        if found is None:
            return ()
        return tuple(dict.fromkeys(self._resolve_base(base, qualified, found[0]) or base for base in found[1].bases))

    def _resolve_base(self, base: str, owner: str, facts: ModuleFacts) -> str | None:
        qualified = self.resolve(base, facts, {})
        return qualified if qualified != owner else f"builtins.{base}"

    def find_builtin(self, qualified: str | None) -> str | None:
        """Find the nearest builtin a class derives from; `None` where a class in between isn't known."""
        queue = [qualified]
        for _ in range(_MAX_HOPS * 4):
            if not queue:
                return None
            name = queue.pop(0)
            if name is None:
                return None
            if name.startswith("builtins."):
                return name.removeprefix("builtins.")
            found = self.find_class(name)
            if found is None:
                return None
            bases = [
                base for base in found[1].bases if base.rpartition(".")[2] not in ("Generic", "object", "Protocol")
            ]
            queue += [self._resolve_base(base, name, found[0]) for base in bases]
        return None

    def list_bases(self, qualified: str | None) -> tuple[str, ...]:
        """List the short names of the classes an exception derives from, nearest first, up to `Exception`."""
        names: dict[str, None] = {}
        seen: set[str] = set()
        queue = [qualified] if qualified else []
        while queue:
            name = queue.pop(0)
            if name in seen:
                continue
            seen.add(name)
            if name != qualified:
                names[name.rpartition(".")[2]] = None
            module, _, short = name.rpartition(".")
            if module == "builtins":
                above = list_builtin_bases(short)
                names.update((base, None) for base in above if base != "BaseException" or name == qualified)
                continue
            found = self.find_class(name)
            if found is not None:
                for base in found[1].bases:
                    resolved = self._resolve_base(base, name, found[0])
                    if resolved is not None:
                        queue.append(resolved)
                    elif base.rpartition(".")[2] not in ("Generic", "object"):
                        names[base.rpartition(".")[2]] = None
            elif name in _LIBRARY_BASES:
                queue.append(f"builtins.{_LIBRARY_BASES[name]}")
        ordered = [name for name in names if name not in ("Exception", "BaseException", "object")]
        last = next((name for name in ("Exception", "BaseException") if name in names), None)
        return (*ordered, last) if last is not None else tuple(ordered)


def _find_module(qualified: str, places: Container[str]) -> str | None:
    """Find the longest prefix that is a module of the target."""
    while qualified:
        if qualified in places:
            return qualified
        qualified = qualified.rpartition(".")[0]
    return None


def is_builtin_exception(name: str) -> bool:
    """Tell whether a name is that of a builtin exception."""
    found = getattr(builtins, name, None)
    return name in _NEWER_BUILTINS or (isinstance(found, type) and issubclass(found, BaseException))


def list_builtin_bases(name: str) -> tuple[str, ...]:
    """List what a builtin exception derives from, nearest first, up to `Exception`."""
    if name in _NEWER_BUILTINS and not hasattr(builtins, name):
        return (_NEWER_BUILTINS[name], "Exception")
    found = getattr(builtins, name, None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        return ()
    mro = [base.__name__ for base in found.__mro__[1:] if issubclass(base, BaseException)]
    return tuple(base for base in mro if base != "BaseException" or name in ("Exception", *_DIRECT))


_DIRECT = ("KeyboardInterrupt", "SystemExit", "GeneratorExit", "BaseExceptionGroup")
