"""A real browser for tests, and the places a site is looked at from: a server, a folder of one, the disk."""

import http.server
import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
_WATCH = """
window.seenShift = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.seenShift += each.value; })
  .observe({ type: "layout-shift", buffered: true });
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => window.refused.push(event.violatedDirective));
"""


@dataclass
class Tab:
    """A page that is open, and what was heard from it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    """Errors of scripts and dialogs that opened: a page that is fine has none."""
    loaded: dict[str, int] = field(default_factory=dict)
    """From each address that was loaded to its bytes."""

    def open(self, url: str) -> Page:
        """Go to an address, and wait until all of it is there."""
        self.page.goto(url, wait_until="load")
        self.page.wait_for_timeout(50)
        return self.page

    def find_violations(self) -> list[str]:
        """Find what keeps people out, by axe-core: what it calls serious or critical."""
        found = Axe().run(self.page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        return [
            f"{each['id']}: {node['html'][:200]}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    def measure_shift(self) -> float:
        """Tell how far what was shown moved while the page came in."""
        return float(self.page.evaluate("window.seenShift"))

    def list_refused(self) -> list[str]:
        """List what the page's own security policy had to refuse."""
        return list(self.page.evaluate("window.refused"))

    def is_wider(self) -> bool:
        """Tell whether the page must be scrolled sideways."""
        script = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        return bool(self.page.evaluate(script))


def find_browser() -> str | None:
    """Find a browser on the PATH."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a browser without a window; the test is skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium on the PATH")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_tab(
    browser: Browser, width: Mapping[str, int] = DESKTOP, dark: bool = False, **settings: object
) -> Iterator[Tab]:
    """Open a tab that remembers nothing of others."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(viewport={**width}, color_scheme=scheme, **settings)  # type: ignore[arg-type]
    try:
        context.add_init_script(_WATCH)
        tab = Tab(context.new_page())
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.page.on("dialog", partial(_dismiss, tab))
        tab.page.on("console", lambda told: tab.complaints.append(told.text) if told.type == "error" else None)
        tab.page.on("response", lambda answer: _weigh(tab, answer.url, answer.headers))
        yield tab
    finally:
        context.close()


def _dismiss(tab: Tab, dialog: Dialog) -> None:
    tab.complaints.append(f"dialog: {dialog.message}")
    dialog.dismiss()


def _weigh(tab: Tab, url: str, headers: Mapping[str, str]) -> None:
    tab.loaded[url] = int(headers.get("content-length", 0))


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine, and give its address, with `/` at the end."""
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
