"""Put what the playground runs beside its page: Python and RE2 for browsers, and the engine's sources.

`python -m tools.playground FOLDER`, after `mkdocs build`. Pyodide and re2-wasm are packages of npm; where there is no
npm the page says that it has no engine, and this program that it left them out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import lark

ROOT = Path(__file__).resolve().parents[1]
PYODIDE = "pyodide@314.0.7"
RE2 = "re2-wasm@1.0.2"
FILES = {
    PYODIDE: {
        f"package/{name}": f"pyodide/{name}"
        for name in (
            *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
            *("package.json", "README.md"),
        )
    },
    RE2: {f"package/build/wasm/{name}": f"re2/{name}" for name in ("re2.js", "re2.wasm")}
    | {"package/LICENSE": "re2/LICENSE"},
}
ENGINE = ("policy_engine", "policy_engine_compat", "grammar", "rules")


def put(folder: Path, npm: str) -> None:
    """Fill the folder of the page."""
    for package, files in FILES.items():
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([npm, "pack", "--silent", package], cwd=place, check=True, stdout=subprocess.DEVNULL)
            [archive] = Path(place).glob("*.tgz")
            with tarfile.open(archive) as packed:
                for source, target in files.items():
                    data = packed.extractfile(source)
                    assert data is not None
                    (folder / target).parent.mkdir(parents=True, exist_ok=True)
                    (folder / target).write_bytes(data.read())
    script = folder / "re2" / "re2.js"
    script.write_text(f"export function begin(Module) {{\n{script.read_text('utf-8')}\n}}\n", "utf-8")  # as a module
    engine(folder / "engine.zip")


def engine(file: Path) -> None:
    """Write the engine's sources, and lark's, which it imports."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for root, names in ((ROOT, ENGINE), (Path(lark.__file__).parents[1], ("lark",))):
            for name in names:
                for path in sorted((root / name).rglob("*")):
                    if path.is_file() and "__pycache__" not in path.parts:
                        made.write(path, path.relative_to(root))


def main() -> None:
    """Fill the playground of the site in a folder."""
    npm = shutil.which("npm")
    if npm is None:
        print("playground: without its engine, since there is no npm", file=sys.stderr)
        return
    put(Path(sys.argv[1]) / "playground", npm)


if __name__ == "__main__":
    main()
