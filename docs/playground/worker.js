// Python (Pyodide) with the engine's own sources; regular expressions are RE2's, compiled to WebAssembly as well.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { begin } from "./re2/re2.js";

async function load() {
  const wrapped = await new Promise((resolve) => {
    const made = { locateFile: (name) => `re2/${name}`, onRuntimeInitialized: () => resolve(made) };
    begin(made);
  });
  const python = await loadPyodide();
  const fetched = async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(name);
    return new Uint8Array(await answer.arrayBuffer());
  };
  python.FS.writeFile("/engine.zip", await fetched("engine.zip"));
  python.FS.writeFile("/play.py", await fetched("play.py"));
  python.registerJsModule("wrapped_re2", { make: (text, folded) => new wrapped.WrappedRE2(text, folded, false, false) });
  python.runPython("import sys, zipfile; zipfile.ZipFile('/engine.zip').extractall('/engine'); sys.path[:0] = ['/engine', '/']");
  return python.pyimport("play");
}

const loaded = load();
loaded.then(() => postMessage({ ready: true }), (error) => setTimeout(() => { throw error; }));
onmessage = async ({ data }) => {
  const play = await loaded;
  try {
    postMessage(JSON.parse(play.answer(data)));
  } catch (error) {
    postMessage({ summary: `The engine failed: ${error.message}`, findings: [], tests: [] });
  }
};
