// The playground: Python answers in a worker (playground.py), and this file shows what it says.
// Text from readers is only ever put in as textContent.
"use strict";

function work() {
  const answering = async (files) => {
    const fetched = self.fetch;
    const file = async (name) => {
      const { body } = await fetched(`data:;base64,${files[name]}`);
      const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
      const headers = { "content-type": type };
      return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers });
    };
    // Pages opened from the file system may not fetch, in WebKit not import a blob, and start no
    // module worker, which Pyodide looks for by this function.
    const address = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
    const module = async (name) => import(address(await (await file(name)).text()));
    self.fetch = (url) => file(new URL(url).pathname.slice(1));
    self.importScripts = undefined;
    const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
      ["pyodide.mjs", "pyodide.asm.mjs"].map(module),
    );
    const pyodide = await loadPyodide({ indexURL: "https://files.invalid/", createPyodideModule });
    const packages = await (await file("packages.zip")).arrayBuffer();
    pyodide.FS.writeFile("/packages.zip", new Uint8Array(packages));
    pyodide.runPython("import sys; sys.path.append('/packages.zip')");
    return pyodide.pyimport("playground").answer;
  };
  let answer;
  self.onmessage = async ({ data }) => {
    try {
      answer ??= answering(data.files);
      self.postMessage(data.question ? { shown: (await answer)(...data.question) } : {});
    } catch (error) {
      self.postMessage({ failure: String(error).trim().split("\n").at(-1) });
    }
  };
}

(() => {
  const form = document.querySelector("form.playground");
  const fields = [...form.querySelectorAll("[name]")];
  const [status, result] = document.querySelectorAll(".playground-status, .playground-result");
  const program = URL.createObjectURL(new Blob([`(${work})()`]));
  let worker, waiting, timer, typing, pause;

  const element = (name, ...children) => {
    const made = document.createElement(name);
    made.append(...children); // strings become text
    return made;
  };

  const start = () => {
    worker = new Worker(program);
    worker.onmessage = answered;
    ask({ files: globalThis.playgroundFiles });
  };
  const ask = (message) => {
    timer = setTimeout(() => {
      worker.terminate();
      worker = timer = undefined;
      status.textContent = "No answer within a minute";
    }, 60_000);
    result.setAttribute("aria-busy", "true");
    worker.postMessage(message);
  };

  // While Python computes, only the newest question waits.
  const update = () => {
    waiting = fields.map(({ value }) => value);
    if (!worker) start();
    else if (!timer) next();
  };
  const next = () => {
    ask({ question: waiting });
    waiting = undefined;
  };

  const answered = ({ data: { shown, failure } }) => {
    clearTimeout(timer);
    timer = undefined;
    result.removeAttribute("aria-busy");
    if (failure) status.textContent = `The playground failed: ${failure}`;
    if (shown) show(JSON.parse(shown));
    if (waiting) next();
  };

  const show = ({ verdict, drawn, sections }) => {
    status.textContent = verdict;
    const pieces = drawn.map(([text, label]) =>
      label ? element("span", text, element("small", label)) : text,
    );
    result.replaceChildren(
      element("p", ...pieces),
      ...sections.flatMap(([title, text]) => [element("h2", title), element("pre", text)]),
    );
    result.classList.toggle("fault", drawn.some(([, label]) => label === "^"));
  };

  const fill = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) field.value = given.get(field.name) ?? field.defaultValue;
    if (given.get("abnf")) form.querySelector("details").open = true;
    typing = false;
    update();
  };

  // One entry of the history for each text that was typed, not for each key.
  form.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      const typed = [...new FormData(form)].filter(([name, value]) => value || name === "uri");
      const link = `#${new URLSearchParams(typed)}`;
      history[typing ? "replaceState" : "pushState"](null, "", link);
      typing = true;
      update();
    }, 150);
  });
  form.addEventListener("change", () => (typing = false));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", fill);

  const files = document.createElement("script");
  files.onload = fill;
  files.src = "_static/playground-files.js";
  document.head.append(files);
})();
