"""Under which names may a traceback speak of a site's file and function?"""

from functools import lru_cache

from catalog.explain.squeeze import squeeze_name
from catalog.records import Site

_MOST_COMPONENTS = 12
_LONGEST_PATH = 1_000


def name_file(site: Site) -> str:
    """Give the file's path as it ends wherever the package is installed: `vllm/config/vllm.py`."""
    components = site.module.split(".")
    if site.path.endswith("__init__.py"):
        components.append("__init__")
    path = "/".join(components) + site.path[site.path.rfind(".") :]
    return path if site.module and f"/{site.path}".endswith(f"/{path}") else site.path


def name_function(qualname: str) -> str:
    """Give the name that a frame shows: the last part of the qualified one."""
    return qualname.rsplit(".", 1)[-1]


def squeeze_path(path: str) -> str:
    """Squeeze a path of either kind of slash, component by component."""
    return "/".join(squeeze_name(component) for component in path.replace("\\", "/").split("/"))


def list_endings(path: str) -> tuple[str, ...]:
    """List a squeezed path's endings, longest first: one of them names the file in a catalog."""
    return _list_endings(path[-_LONGEST_PATH:])


@lru_cache(maxsize=2_048)
def _list_endings(path: str) -> tuple[str, ...]:
    components = [component for component in squeeze_path(path).split("/") if component][-_MOST_COMPONENTS:]
    return tuple("/".join(components[start:]) for start in range(len(components)))
