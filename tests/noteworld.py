"""A small target whose errors have notes: a kitchen, whose oven is configured by JSON inside a flag."""

from collections.abc import Mapping

from factories import make_catalog
from optionworld import attach

from catalog.records import Catalog, Entry

KITCHEN: Mapping[str, str] = {
    "shop/config.py": '''
        import os
        from dataclasses import dataclass, field


        @dataclass
        class OvenConfig:
            """What the second oven does while the first one bakes."""

            reach: int | None = None
            """How far it looks ahead."""
            trays: int | None = None

            def settle(self, kitchen: "KitchenConfig", rack_reach: int) -> int:
                self.tray_count = self._pick_trays(kitchen, self.trays)
                return self._limit_reach(self.reach, rack_reach)

            @staticmethod
            def _limit_reach(oven_reach: int | None, rack_reach: int) -> int:
                if oven_reach is not None:
                    if oven_reach > rack_reach:
                        raise ValueError(f"{oven_reach=} goes beyond {rack_reach=}")
                    return oven_reach
                return rack_reach

            @staticmethod
            def _pick_trays(kitchen: "KitchenConfig", oven_trays: int | None) -> int:
                if oven_trays is None:
                    oven_trays = kitchen.trays
                elif oven_trays not in (1, kitchen.trays):
                    raise ValueError(f"{oven_trays=} is neither 1 nor what the kitchen has")
                return oven_trays


        @dataclass
        class KitchenConfig:
            """What a kitchen is started with."""

            trays: int = 1
            oven: OvenConfig | None = None
            window: int | None = None
            block: int | None = None
            tile: int | None = None
            heat: int = 180
            style: str = "round"
            steam: bool = False


        def check_window(kitchen: KitchenConfig) -> None:
            if kitchen.window is not None:
                block = int(kitchen.block)
                if kitchen.window < block:
                    raise ValueError(f"--window must reach over --block. window={kitchen.window}, block={block}.")


        def check_heat(kitchen: KitchenConfig) -> None:
            if kitchen.heat < 1:
                raise ValueError(f"heat must be at least 1, got {kitchen.heat}")
            if kitchen.style not in ("round", "square"):
                raise ValueError(f"no such style: {kitchen.style}")
            if kitchen.steam and kitchen.heat > 250:
                raise ValueError("steam and a heat above 250 do not go together")
            if os.environ.get("KITCHEN_PORT", "80") == "0":
                raise ValueError("a kitchen needs a door")
    ''',
    "shop/cli.py": """
        import argparse
        from shop.config import KitchenConfig

        def get_kwargs(cls):
            return {name: {"action": argparse.BooleanOptionalAction} for name in cls}

        class KitchenArgs:
            @staticmethod
            def add_cli_args(parser):
                kitchen = get_kwargs(KitchenConfig)
                parser.add_argument("--trays", "-t", **kitchen["trays"])
                parser.add_argument("--oven", **kitchen["oven"])
                parser.add_argument("--window", **kitchen["window"])
                parser.add_argument("--block", **kitchen["block"])
                parser.add_argument("--tile", **kitchen["tile"])
                parser.add_argument("--heat", **kitchen["heat"])
                parser.add_argument("--style", **kitchen["style"])
                parser.add_argument("--steam", **kitchen["steam"])
    """,
}


def make_kitchen() -> Catalog:
    """Mine the kitchen, options and all."""
    attached = attach(KITCHEN)
    return make_catalog(attached.entries, options=tuple(attached.options))


def find_kitchen_entry(kitchen: Catalog, word: str) -> Entry:
    """Find the entry whose title has this word."""
    (entry,) = (entry for entry in kitchen.entries if word in entry.title)
    return entry
