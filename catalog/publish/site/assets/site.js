"use strict";
(() => {
  const root = document.documentElement;
  const kept = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  /* What is above runs before anything is drawn, so that nobody is dazzled; what is below needs the page. */
  document.addEventListener("DOMContentLoaded", () => {
    const theme = document.querySelector("button.theme");
    if (theme) {
      theme.hidden = false;
      theme.addEventListener("click", () => {
        const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
        try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a page from disk may keep nothing */ }
      });
    }
    const copy = async (text) => {
      try { await navigator.clipboard.writeText(text); return true; } catch { /* not a secure page: the older way */ }
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "away";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    };
    for (const button of document.querySelectorAll("button.copy")) {
      button.hidden = false;
      button.addEventListener("click", async () => {
        const done = await copy(button.parentElement.querySelector("pre").textContent.trimEnd() + "\n");
        button.textContent = done ? "Copied" : "Select it, and copy it by hand";
        button.focus();
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
    }
  });
})();
