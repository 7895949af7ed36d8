"""How many errors each release has, as a picture that also reads as a text."""

from collections.abc import Sequence

from markupsafe import Markup

from catalog.publish.site.harmless import show

_HEIGHT = 180
_WIDTH = 640
_WIDEST = 96
_ABOVE, _BELOW = 24, 24
_LABELS = 12
"""With more bars than this only some are labelled, so that no label covers another."""


def draw_bars(bars: Sequence[tuple[str, int]]) -> Markup:
    """Draw a bar a release, the oldest first."""
    highest = max((count for _, count in bars), default=0) or 1
    step = min(_WIDEST, _WIDTH / max(1, len(bars)))
    every = -(-len(bars) // _LABELS)
    drawn = Markup("").join(
        _draw_bar(
            label, count, (round(index * step), round(step), count / highest), (len(bars) - 1 - index) % every == 0
        )
        for index, (label, count) in enumerate(bars)
    )
    said = ", ".join(f"{show(label)}: {count:,}" for label, count in bars)
    width, floor = round(step * len(bars)), _HEIGHT - _BELOW
    picture = Markup(
        '<svg class="plot" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" '
        'aria-label="Errors by release. {2}">'
        '{3}<path d="M0 {4}H{0}"></path></svg>'
    )
    return picture.format(width, _HEIGHT, said, drawn, floor)


def _draw_bar(label: str, count: int, place: tuple[int, int, float], is_labelled: bool) -> Markup:
    left, step, share = place
    height = round((_HEIGHT - _ABOVE - _BELOW) * share)
    top, middle = _HEIGHT - _BELOW - height, left + step // 2
    bar = Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="2"><title>{}: {}</title></rect>').format(
        left + round(step * 0.14), top, max(1, round(step * 0.72)), height, show(label), f"{count:,}"
    )
    if not is_labelled:
        return bar
    text = Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>')
    return bar + text.format(middle, top - 6, f"{count:,}") + text.format(middle, _HEIGHT - 6, show(label)[:14])
