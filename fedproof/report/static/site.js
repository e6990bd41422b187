/* Unpacks ledgers, draws formulas, finds, filters, sorts, folds and copies; other pages can be read without it. */
"use strict";
(async () => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const root = document.documentElement.dataset.root || "";

  // The rows of a long page come packed, in its text.
  const packed = document.getElementById("packed");
  if (packed && "DecompressionStream" in window) {
    const bytes = Uint8Array.from(atob(packed.textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    packed.insertAdjacentHTML("beforebegin", await new Response(stream).text());
    document.getElementById("instead").remove();
    packed.remove();
  }

  // Formulas are drawn when they come near the window, or before printing.
  function draw(span) {
    if (span.classList.contains("drawn") || !window.katex) return;
    const latex = span.textContent;
    const display = span.parentElement.classList.contains("formula");
    span.dataset.latex = latex;
    katex.render((display ? "\\displaystyle " : "") + latex, span, { throwOnError: false });
    span.classList.add("drawn");
    if (display) span.parentElement.append(copier(latex));
  }
  function copier(latex) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy LaTeX";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(latex);
      button.textContent = "copied";
    });
    return button;
  }
  const near = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) { near.unobserve(target); draw(target); }
  }, { rootMargin: "800px" });
  all(".tex").forEach((span) => near.observe(span));
  addEventListener("beforeprint", () => {
    all("details:not([hidden])").forEach((row) => { row.open = true; });
    all(".tex").forEach(draw);
  });

  // A permalink opens what it points into.
  function open() {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let at = place; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
      at.hidden = false;
    }
    place.scrollIntoView();
  }
  addEventListener("hashchange", open);
  open();

  // Every id, equation and title, in an index that is read when it is asked for.
  const box = document.querySelector(".find input");
  const list = document.querySelector(".find ul");
  let known;
  function index() {
    known ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = root + "static/index.js";
      script.onload = () => done(window.FEDPROOF_INDEX);
      document.head.append(script);
    });
    return known;
  }
  async function find() {
    const asked = box.value.trim().toLowerCase();
    const words = asked.split(/\s+/);
    const rows = asked ? await index() : [];
    const text = ([title, url, more]) => `${title} ${url} ${more}`.toLowerCase();
    const found = rows.filter((row) => words.every((word) => text(row).includes(word)));
    const rank = ([title]) => (title.toLowerCase().replace("eq. ", "") === asked ? 0 : title.toLowerCase().includes(asked) ? 1 : 2);
    found.sort((a, b) => rank(a) - rank(b));
    list.replaceChildren(...found.slice(0, 30).map(([title, url, , kind]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = root + url;
      link.textContent = title;
      const aside = document.createElement("span");
      aside.className = "small";
      aside.textContent = " " + kind;
      link.append(aside);
      item.append(link);
      return item;
    }));
    if (asked && !found.length) list.innerHTML = '<li><span class="none">Nothing has these words.</span></li>';
    document.querySelector(".find [role=status]").textContent = asked ? `${found.length} found` : "";
  }
  if (box) {
    box.addEventListener("input", find);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { box.value = ""; find(); }
      if (event.key === "ArrowDown") { list.querySelector("a")?.focus(); event.preventDefault(); }
      if (event.key === "Enter") { list.querySelector("a")?.click(); event.preventDefault(); }
    });
    list.addEventListener("keydown", (event) => {
      const links = all("a", list), at = links.indexOf(document.activeElement);
      if (event.key === "ArrowDown") { links[at + 1]?.focus(); event.preventDefault(); }
      if (event.key === "ArrowUp") { (links[at - 1] ?? box).focus(); event.preventDefault(); }
      if (event.key === "Escape") { box.focus(); list.replaceChildren(); }
    });
  }

  // Rows of the ledger by verdict, by whose they are and by words.
  const tools = document.querySelector("form.tools");
  if (tools) {
    tools.hidden = false;
    const rows = all("details.entry");
    const filter = () => {
      const wanted = new Set(all("input:checked", tools).map((input) => input.value));
      const words = tools.elements.words.value.trim().toLowerCase().split(/\s+/);
      let shown = 0;
      for (const row of rows) {
        const text = () => row.textContent.toLowerCase();
        row.hidden = !(wanted.has(row.dataset.verdict) && wanted.has(row.dataset.whose) && words.every((word) => text().includes(word)));
        shown += !row.hidden;
      }
      for (const part of all("h3.part")) {
        let next = part.nextElementSibling, some = false;
        for (; next && !next.matches("h3.part"); next = next.nextElementSibling) some ||= !next.hidden;
        part.hidden = !some;
      }
      tools.querySelector("output").textContent = `${shown} of ${rows.length} shown`;
    };
    tools.addEventListener("input", filter);
    tools.addEventListener("submit", (event) => event.preventDefault());
    for (const [name, state] of [["unfold", true], ["fold", false]]) {
      tools.elements[name].addEventListener("click", () => rows.forEach((row) => { if (!row.hidden) row.open = state; }));
    }
    filter();
  }

  // Tables are sorted by a click on a heading.
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
        const order = new Intl.Collator("en", { numeric: true }).compare;
        const body = table.tBodies[0];
        body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * order(key(a), key(b))));
      });
    });
  }
})();
