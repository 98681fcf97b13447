// The console works without this file. With it, pages load without a flash, numbers move by themselves, and charts answer to the keyboard.
"use strict";
(() => {
  const main = () => document.getElementById("main");
  const announce = (text) => {
    const place = document.querySelector(".announcement");
    if (place) place.textContent = text;
  };
  let loading = null;

  // Loads a page and takes over its title, navigation and content.
  async function show(url, { push = true, quietly = false } = {}) {
    // What a person asked for is not given up for a refresh.
    if (quietly && loading) return;
    if (loading) loading.abort();
    const mine = (loading = new AbortController());
    try {
      await load(url, mine, push, quietly);
    } finally {
      if (loading === mine) loading = null;
    }
  }

  async function load(url, mine, push, quietly) {
    const tag = main().dataset.tag;
    const headers = quietly && tag ? { "If-None-Match": tag } : {};
    let response, text;
    try {
      response = await fetch(url, { headers, signal: mine.signal, credentials: "same-origin" });
      text = await response.text();
    } catch (error) {
      if (error.name !== "AbortError" && !quietly) location.href = url;
      return;
    }
    if (response.status === 304) return;
    const type = response.headers.get("Content-Type") || "";
    if (!type.startsWith("text/html") || (quietly && (!response.ok || response.redirected))) {
      if (!quietly) location.href = url;
      return;
    }
    const next = new DOMParser().parseFromString(text, "text/html");
    if (mine.signal.aborted || !next.getElementById("main")) return;
    const open = [...document.querySelectorAll("main details[open] > summary")].map((s) => s.textContent);
    document.title = next.title;
    document.body.className = next.body.className;
    for (const part of ["header.top", "nav.side", "#main"]) {
      const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
      if (old && fresh) keepingFocus(old, () => (old.replaceWith(fresh), prepare()));
      else if (old || fresh) return (location.href = url);
    }
    for (const summary of document.querySelectorAll("main details > summary"))
      if (quietly && open.includes(summary.textContent)) summary.parentElement.open = true;
    if (push) history.pushState(null, "", response.url);
    if (!quietly) {
      scrollTo(0, 0);
      main().focus({ preventScroll: true });
      announce(next.title);
    } else announce("Numbers updated");
    watch();
  }

  // Keeps the focus on the element that has the same name after a part is replaced, or is in the same place, as a chart's points are.
  function keepingFocus(part, replace) {
    const active = document.activeElement;
    if (!part.contains(active) || active === part) return replace();
    const [tagName, name, href] = [active.tagName, active.name, active.getAttribute("href")];
    const place = [...document.querySelectorAll(tagName)].indexOf(active);
    replace();
    const elements = [...document.querySelectorAll(tagName)];
    const same = name || href
      ? elements.find((one) => (name && one.name === name) || (href && one.getAttribute("href") === href))
      : elements[place];
    if (same) same.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || link.hasAttribute("download") || link.target) return;
    if (url.pathname === location.pathname && url.hash) return;
    event.preventDefault();
    show(url.href);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "get") return;
    event.preventDefault();
    // An empty filter selects what has no name.
    const isFilter = (name) => [...form.elements].some((field) => field.name === name && field.type === "checkbox");
    const fields = [...new FormData(form)].filter(([name, value]) => value !== "" || isFilter(name));
    show(`${new URL(form.action).pathname}?${new URLSearchParams(fields)}`);
  });

  // A choice shows its result at once.
  document.addEventListener("change", (event) => {
    const { form, tagName, type } = event.target;
    if ((tagName === "SELECT" || type === "checkbox") && form && form.method === "get") form.requestSubmit();
  });

  addEventListener("popstate", () => show(location.href, { push: false }));

  // Each chart is one stop of the tabulator key. On a narrow screen, the navigation shows where the page is.
  function prepare() {
    const place = document.querySelector("nav.side [aria-current]");
    if (place) place.closest("nav").scrollLeft = place.offsetLeft - 60;
    for (const chart of document.querySelectorAll("main svg[role=img]"))
      chart.querySelectorAll("g:has(> title)").forEach((point, i) => point.setAttribute("tabindex", i ? "-1" : "0"));
  }

  // Live: one stream while pages of an app are seen; a page that is hidden has none.
  let stream = null;
  let poll = null;
  let again = null;
  function refresh() {
    const writing = document.activeElement && document.activeElement.closest("main form");
    if (!writing) show(location.href, { push: false, quietly: true });
  }
  function watch() {
    clearInterval(again);
    const rows = main() && main().querySelector("[data-tail]");
    const source = !document.hidden && main() && (rows ? tail(rows) : main().dataset.live);
    if (!document.hidden && main()?.dataset.counting) again = setInterval(refresh, 1000);
    const isOpen = stream && stream.readyState !== EventSource.CLOSED;
    if (isOpen && source && !rows && stream.url.endsWith(source)) return;
    if (stream) stream.close();
    clearInterval(poll);
    stream = source ? new EventSource(source) : null;
    if (!stream) return;
    stream.addEventListener("changed", refresh);
    if (rows) follow(rows);
    stream.onerror = ({ target }) => {
      if (target === stream && stream.readyState === EventSource.CLOSED) poll = setInterval(refresh, 30000);
    };
  }
  document.addEventListener("visibilitychange", watch);

  // The source of a tail's rows, unless a person has paused it.
  function tail(rows) {
    const [link, pause] = [main().querySelector(".again"), main().querySelector(".pause")];
    [link.hidden, pause.hidden] = [true, false];
    pause.onclick = () => {
      pause.textContent = rows.toggleAttribute("data-paused") ? "Resume" : "Pause";
      watch();
    };
    return rows.hasAttribute("data-paused") ? null : rows.dataset.tail;
  }

  // Shows rows as the server has written them: all at first, then the new ones, the newest first.
  function follow(rows) {
    const read = ({ data }) =>
      new DOMParser().parseFromString(`<table>${data}</table>`, "text/html").querySelectorAll("tr");
    stream.addEventListener("all", (event) => keepingFocus(rows, () => rows.replaceChildren(...read(event))));
    stream.addEventListener("lines", (event) => {
      rows.querySelector(".none")?.remove();
      rows.prepend(...read(event));
      while (rows.children.length > 100) rows.lastElementChild.remove();
    });
  }

  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.key === "/") {
      const find = document.querySelector("a.find");
      if (find) {
        event.preventDefault();
        show(find.href).then(() => document.querySelector("main input[type=search]")?.focus());
      }
    }
    if (event.key === "?") document.querySelector("dialog.keys")?.showModal();
    // In a chart, the arrows move from point to point; each says what it is.
    const point = event.target.closest("svg g[tabindex]");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (point && step) {
      const points = [...point.ownerSVGElement.querySelectorAll("g[tabindex]")];
      const next = points[points.indexOf(point) + step];
      if (next) {
        next.focus();
        announce(next.querySelector("title").textContent);
      }
      event.preventDefault();
    }
  });

  prepare();
  watch();
})();
