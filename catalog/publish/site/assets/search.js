"use strict";
/* The index is a set of small scripts: they load from a web server and from disk alike, and only those a query needs. */
const errmine = (() => {
  const facts = { count: 0, shards: 0, size: 0, norms: "" };
  const words = new Map(), entries = new Map(), loading = new Map();
  const load = (name) => {
    if (!loading.has(name)) {
      loading.set(name, new Promise((done) => {
        const script = document.createElement("script");
        script.src = `search/${name}.js`;
        script.onload = () => done(true);
        script.onerror = () => done(false);
        document.head.append(script);
      }));
    }
    return loading.get(name);
  };
  const table = Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n >>> 0;
  });
  const crc32 = (text) => {
    let crc = 0xffffffff;
    for (let at = 0; at < text.length; at++) crc = (crc >>> 8) ^ table[(crc ^ text.charCodeAt(at)) & 255];
    return (crc ^ 0xffffffff) >>> 0;
  };
  const everywhere = new Set("self none is not and or in the to be of".split(" "));
  const readWords = (text) => {
    const found = new Set();
    for (const [match] of text.toLowerCase().matchAll(/[a-z0-9_]+(?:[-.][a-z0-9_]+)*/g)) {
      const whole = match.replace(/[-.]/g, "_").replace(/^_+|_+$/g, "");
      const parts = whole.split("_").filter(Boolean);
      for (const word of parts.length > 1 ? [whole, ...parts] : [whole]) {
        if (word.length > 1 && word.length <= 48 && !/^[0-9]+$/.test(word) && !everywhere.has(word)) found.add(word);
      }
    }
    return found;
  };
  /* Of a long paste, the lines that name an exception, and the innermost frames: the rest is the log's own words. */
  const readQuery = (text) => {
    const lines = text.slice(0, 200000).split(/\r?\n/);
    if (lines.length < 4) return [...readWords(text)].slice(0, 64);
    const errors = lines.filter((line) => /\b[\w.]*(?:Error|Exception|Exit|Invalid|Failed)\b\s*:/.test(line));
    const frames = lines.filter((line) => /File ".*", line \d+/.test(line)).slice(-3)
      .map((line) => line.replace(/.*[/\\]/, "").replace(/line \d+, in/, ""));
    const told = [...new Set([...errors.slice(0, 2), ...errors.slice(-3)])];
    const chosen = told.length ? [...told, ...frames] : [...frames, ...lines.slice(-8)];
    return [...readWords(chosen.join("\n"))].slice(0, 64);
  };
  const findShard = (word) => crc32(word.slice(0, 3)) % facts.shards;
  const readNumbers = (word) => {
    const text = words.get(findShard(word));
    const start = text === undefined ? -1 : text.indexOf(`\n${word} `);
    if (start < 0) return [];
    let last = 0;
    const from = start + word.length + 2;
    return text.slice(from, text.indexOf("\n", from)).split(" ").map((gap) => (last += parseInt(gap, 36)));
  };
  /* A word of three letters or more that is still being typed stands for those that begin with it. */
  const readStart = (start) => {
    const text = words.get(findShard(start)) || "", found = new Set();
    for (let at = text.indexOf(`\n${start}`), seen = 0; at >= 0 && seen < 50; at = text.indexOf(`\n${start}`, at + 1), seen++) {
      for (const number of readNumbers(text.slice(at + 1, text.indexOf(" ", at)))) found.add(number);
    }
    return [...found];
  };
  const search = async (text) => {
    if (!(await load("index"))) return null;
    const asked = readQuery(text);
    await Promise.all([...new Set(asked.map(findShard))].map((n) => load(`words-${n}`)));
    const typed = /\w$/.test(text) && !text.includes("\n") ? asked[asked.length - 1] : undefined;
    const scores = new Map();
    for (const word of asked) {
      const exact = readNumbers(word);
      const numbers = word === typed && exact.length === 0 && word.length > 2 ? readStart(word) : exact;
      const weight = Math.log(1 + facts.count / numbers.length) ** 2;
      for (const number of numbers) scores.set(number, (scores.get(number) || 0) + weight);
    }
    const ranked = [...scores].map(([number, score]) => {
      const norm = parseInt(facts.norms.slice(number * 2, number * 2 + 2), 36) / 20;
      return [number, score / norm];
    }).sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, 20);
    await Promise.all([...new Set(ranked.map(([number]) => Math.floor(number / facts.size)))].map((n) => load(`entries-${n}`)));
    return ranked.map(([number]) => (entries.get(Math.floor(number / facts.size)) || [])[number % facts.size]).filter(Boolean);
  };
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  document.addEventListener("DOMContentLoaded", () => {
    const box = document.getElementById("query");
    const results = document.getElementById("results");
    const status = document.getElementById("status");
    let asked = 0, timer = 0;
    const showResults = async () => {
      const text = box.value.trim(), mine = ++asked;
      history.replaceState(null, "", text && text.length < 500 ? `#${encodeURIComponent(text)}` : location.pathname + location.search);
      if (!text) { results.replaceChildren(); status.textContent = "\u00a0"; return; }
      status.textContent = "Searching …";
      const found = await search(text);
      if (mine !== asked) return;
      status.textContent = found === null ? "The search index can't be loaded." :
        found.length === 0 ? "Nothing like it is in here." : found.length === 20 ? "The 20 nearest" : `${found.length} found`;
      results.replaceChildren(...(found || []).map(([id, title, exception, place]) => {
        const item = document.createElement("li");
        const link = make("a", title);
        link.href = `errors/${id}.html`;
        const quiet = make("span", "", "quiet");
        quiet.append(make("code", exception), ` ${place}`);
        item.append(link, " ", quiet);
        return item;
      }));
    };
    box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(showResults, 150); });
    box.addEventListener("keydown", (event) => {
      const first = results.querySelector("a");
      if (event.key === "Enter" && !event.shiftKey && !box.value.includes("\n") && first) { event.preventDefault(); first.click(); }
      if (event.key === "ArrowDown" && first && !box.value.includes("\n")) { event.preventDefault(); first.focus(); }
    });
    results.addEventListener("keydown", (event) => {
      const links = [...results.querySelectorAll("a")], at = links.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined || at < 0) return;
      event.preventDefault();
      (links[at + step] || (step < 0 ? box : links[at])).focus();
    });
    document.querySelector("form.search").addEventListener("submit", (event) => event.preventDefault());
    const given = (() => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } })();
    if (given) { box.value = given; showResults(); }
  });
  return {
    start: (given) => Object.assign(facts, given),
    words: (number, text) => words.set(number, text),
    entries: (number, rows) => entries.set(number, rows),
  };
})();
