"""A file's declared rules → entries of kind `constraint`: what a library raises without a raise statement in sight."""

from collections.abc import Iterator, Sequence

from catalog.records import Entry
from miner.entries import Finding, SourceText, make_bare_entry
from miner.facts import ModuleFacts
from miner.fieldrules import list_field_rules
from miner.flagrules import FLAG_ROW, list_flag_rules
from miner.lexing import LogicalLine
from miner.locate import SiteMark, Unit
from miner.lookup import Context
from miner.names import World
from miner.rules import Rule


def find_constraints(
    source: SourceText, units: Sequence[Unit], facts: ModuleFacts, world: World, lines: Sequence[str]
) -> Iterator[Entry]:
    """Find the rules that configuration fields and command-line arguments declare."""
    context = Context(world, facts, {}, frozenset(), None)
    has_flags = FLAG_ROW.search(source.text) is not None
    for unit in units:
        if unit.kind == "class":
            for row, rule in list_field_rules(source.text, unit, context):
                yield _make_entry(source, unit, row, rule, lines)
        if has_flags:
            for row, rule in list_flag_rules(source.text, unit):
                yield _make_entry(source, unit, row, rule, lines)


def _make_entry(source: SourceText, unit: Unit, row: LogicalLine, rule: Rule, lines: Sequence[str]) -> Entry:
    text = source.text
    column = row.start - (text.rfind("\n", 0, row.start) + 1)
    mark = SiteMark("rule", row.line, column, row.line + text.count("\n", row.start, row.end))
    finding = Finding("constraint", rule.exception, rule.make_message(), (), (), rule.holds)
    return make_bare_entry(source, unit, mark, finding, rule.make_guard(row.line), lines)
