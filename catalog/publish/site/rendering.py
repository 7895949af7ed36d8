"""Templates and values → pages: what a target says is escaped, and nothing may run but the site's own scripts."""

from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from catalog import __version__
from catalog.publish.site.addresses import find_root
from catalog.publish.site.harmless import show

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'"


@cache
def _open_templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("catalog.publish.site"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["show"] = show
    return environment


@cache
def _find(template: str) -> Template:
    return _open_templates().get_template(template)


def render_page(template: str, address: str, values: Mapping[str, object]) -> bytes:
    """Render the page that stands at an address."""
    given = {"root": find_root(address), "policy": POLICY, "tool": __version__, "description": "", "crumbs": ()}
    text: str = _find(template).render(given | dict(values))
    return text.encode("utf-8", "backslashreplace")
