/**
 * Browser script of the explorer, in addition to Swagger UI: it keeps the tokens (typed, or from `#token=…` in the URL)
 * for the session of the tab and adds them to requests, opens the operations that most people come for, and follows the
 * console's choice of colours.
 */
export const script: string = String.raw`"use strict";
(() => {
  // The path in front of the server's own paths, behind a proxy.
  const prefix = location.pathname.replace(/\/api\/v2\/explorer\/.*$/s, "");
  const kinds = [
    { name: "token", label: "Token", path: prefix + "/api/v2/" },
    { name: "lab", label: "Lab token", path: prefix + "/lab/" },
  ];
  const keyOf = (name) => "handset-lab." + name;

  const kept = (name) => {
    try {
      return sessionStorage.getItem(keyOf(name)) ?? "";
    } catch {
      return "";
    }
  };
  const memory = new Map(kinds.map(({ name }) => [name, kept(name)]));

  const keep = (name, text) => {
    const token = text.trim().replace(/^token\s+/i, "");
    memory.set(name, token);
    try {
      sessionStorage.setItem(keyOf(name), token);
    } catch {
      // Without session storage the token lives as long as the page.
    }
  };

  // Removes tokens from the URL, which histories and screenshots expose. A part that begins with a slash links to an
  // operation and stays.
  const takeFromAddress = () => {
    const parts = location.hash.slice(1).split("&");
    const others = [];
    for (const part of parts) {
      const kind = kinds.find(({ name }) => part.startsWith(name + "="));
      if (kind === undefined) others.push(part);
      else {
        try {
          keep(kind.name, decodeURIComponent(part.slice(kind.name.length + 1)));
        } catch {
          // Malformed percent-encoding: not a token.
        }
      }
    }
    if (others.length === parts.length) return;
    const rest = others.join("&");
    history.replaceState(null, "", location.pathname + location.search + (rest === "" ? "" : "#" + rest));
    for (const { name } of kinds) {
      const input = document.getElementById("lab-" + name);
      if (input !== null) input.value = memory.get(name);
    }
  };

  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  const field = ({ name, label }) => {
    const input = element("input", {
      id: "lab-" + name,
      type: "password",
      autocomplete: "off",
      spellcheck: false,
      placeholder: "not set",
      value: memory.get(name),
    });
    input.addEventListener("input", () => keep(name, input.value));
    const show = element("button", { type: "button", textContent: "Show", title: "Show or hide the " + label.toLowerCase() });
    show.addEventListener("click", () => {
      const isHidden = input.type === "password";
      input.type = isHidden ? "text" : "password";
      show.textContent = isHidden ? "Hide" : "Show";
    });
    return element("div", { className: "lab-token" }, element("label", { htmlFor: input.id, textContent: label }), input, show);
  };

  const bar = () =>
    element(
      "header",
      { className: "lab-bar" },
      element(
        "div",
        { className: "lab-bar-inner" },
        element("a", { className: "lab-name", href: location.pathname }, element("strong", { textContent: "Handset Lab" }), " API explorer"),
        element("div", { className: "lab-tokens" }, ...kinds.map(field)),
      ),
    );

  // What most people come for. A read is also sent: it changes nothing.
  const tasks = [
    { title: "Send a message", about: "to one contact or number", tag: "messages", id: "post_messages" },
    { title: "List messages", about: "in and out, the newest first", tag: "messages", id: "list_messages" },
    { title: "Find contacts", about: "all, or by group, number or name", tag: "contacts", id: "list_contacts" },
    { title: "Send a broadcast", about: "to groups, contacts, numbers", tag: "broadcasts", id: "post_broadcasts" },
    { title: "Start a flow", about: "for contacts and groups", tag: "flow_starts", id: "post_flow_starts" },
    { title: "See runs", about: "who is where in a flow", tag: "runs", id: "list_runs" },
  ];

  // Waits, frame by frame, until Swagger UI has drawn something: on a busy machine that takes many seconds. Null when
  // another task was chosen in the meantime.
  let current;
  const drawn = async (task, find) => {
    while (current === task) {
      const found = find();
      if (found) return found;
      await new Promise(requestAnimationFrame);
    }
    return null;
  };

  const openTask = async (task) => {
    const { tag, id } = task;
    current = task;
    history.replaceState(null, "", location.pathname + location.search + "#/" + tag + "/" + id);
    const section = await drawn(task, () => document.querySelector('.opblock-tag[data-tag="' + tag + '"]'));
    if (section?.dataset.isOpen === "false") section.click();
    const block = await drawn(task, () => document.getElementById("operations-" + tag + "-" + id));
    if (block?.classList.contains("is-open") === false) block.querySelector(".opblock-summary-control").click();
    const button = await drawn(task, () => block.querySelector(".try-out__btn"));
    if (button?.classList.contains("cancel") === false) button.click();
    const execute = await drawn(task, () => block.querySelector(".execute"));
    if (execute === null) return;
    block.scrollIntoView({ block: "start" });
    if (id.startsWith("list_")) {
      execute.click();
      const answer = await drawn(task, () => block.querySelector(".live-responses-table"));
      answer?.closest(".responses-wrapper").scrollIntoView({ block: "start" });
    } else (block.querySelector("textarea, input[type=text]") ?? execute).focus({ preventScroll: true });
  };

  const start = () => {
    const list = element("ul", {});
    for (const task of tasks) {
      const link = element("a", { href: "#/" + task.tag + "/" + task.id }, element("strong", { textContent: task.title }), " " + task.about);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        void openTask(task);
      });
      list.append(element("li", {}, link));
    }
    return element("nav", { className: "lab-start", ariaLabel: "What most people come for" }, list);
  };

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colour = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem(keyOf("theme"));
    } catch {
      // Without storage: as the system.
    }
    document.documentElement.classList.toggle("dark-mode", chosen === "dark" || (chosen !== "light" && dark.matches));
  };

  globalThis.handsetLab = {
    // Request interceptor: adds the token of the request's path.
    sign(request) {
      const path = new URL(request.url, location.href).pathname;
      const kind = kinds.find((one) => path.startsWith(one.path));
      const token = kind === undefined ? "" : memory.get(kind.name);
      if (token !== "") request.headers = { ...request.headers, Authorization: "Token " + token };
      return request;
    },
    // Replaces Swagger UI's resolution of references, which walks the whole document for each opened operation and took
    // seconds. Our document has no references.
    plugin: {
      fn: {
        async resolveSubtree(document, path) {
          return { spec: path.reduce((part, name) => part?.[name], document) ?? null, errors: [] };
        },
      },
    },
  };

  document.head.append(element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }));
  colour();
  dark.addEventListener("change", colour);
  addEventListener("storage", colour);
  takeFromAddress();
  addEventListener("hashchange", takeFromAddress);
  document.body.prepend(bar());

  // When the operations are drawn: the tasks above them; no field of the lab token when the document has none of the lab.
  new MutationObserver((_changes, observer) => {
    if (document.querySelector(".opblock-tag-section") === null) return;
    observer.disconnect();
    document.querySelector(".swagger-ui .information-container")?.after(start());
    const hasLab = document.querySelector('.opblock-tag[data-tag="lab"]') !== null;
    document.getElementById("lab-lab").closest(".lab-token").hidden = !hasLab;
  }).observe(document.getElementById("swagger-ui"), { childList: true, subtree: true });
})();
`;
