"""Tables of the modules and functions of Node, Bun and Deno that touch files or start programs."""

from __future__ import annotations

# module -> the one whose functions it has
MODULES = {
    "fs/promises": "fs", "fs-extra": "fs", "graceful-fs": "fs", "node:fs": "fs", "cross-spawn": "spawn",
    "child_process": "child_process", "execa": "execa", "zx": "zx", "shelljs": "shelljs", "rimraf": "rimraf",
    "del": "rimraf", "os": "os", "path": "path", "path/posix": "path", "process": "process", "vm": "vm", "url": "url",
    "bun": "Bun", "util": "util", "module": "module", "dotenv": "dotenv", "worker_threads": "workers",
    "cluster": "cluster", "glob": "glob", "fast-glob": "glob", "globby": "glob", "tinyglobby": "glob",
}  # fmt: skip
DANGEROUS = frozenset("fs child_process process globalThis Bun Deno vm module execa zx shelljs".split())
# function of `fs` without `Sync` -> (argument, access, recursive) of each path it touches
FILES: dict[str, tuple[tuple[int, str, bool], ...]] = {
    "unlink": ((0, "delete", False),), "rmdir": ((0, "delete", False),), "rm": ((0, "delete", False),),
    "remove": ((0, "delete", True),), "emptyDir": ((0, "delete", True),), "emptydir": ((0, "delete", True),),
    "writeFile": ((0, "write", False),), "appendFile": ((0, "write", False),), "mkdir": ((0, "write", False),),
    "mkdtemp": ((0, "write", False),), "createWriteStream": ((0, "write", False),), "truncate": ((0, "write", False),),
    "chmod": ((0, "write", False),), "lchmod": ((0, "write", False),), "chown": ((0, "write", False),),
    "lchown": ((0, "write", False),), "utimes": ((0, "write", False),), "symlink": ((1, "write", False),),
    "link": ((0, "write", False), (1, "write", False)),
    "createSymlink": ((1, "write", False),), "ensureSymlink": ((1, "write", False),),
    "ensureLink": ((0, "write", False), (1, "write", False)), "createLink": ((0, "write", False), (1, "write", False)),
    "rename": ((0, "read", False), (0, "delete", True), (1, "write", True)),
    "move": ((0, "read", False), (0, "delete", True), (1, "write", True)),
    "copyFile": ((0, "read", False), (1, "write", False)),
    "cp": ((0, "read", True), (1, "write", True)), "copy": ((0, "read", True), (1, "write", True)),
    "readFile": ((0, "read", False),), "createReadStream": ((0, "read", False),), "readJson": ((0, "read", False),),
    "readJSON": ((0, "read", False),), "openAsBlob": ((0, "read", False),), "outputFile": ((0, "write", False),),
    "outputJson": ((0, "write", False),), "writeJson": ((0, "write", False),), "writeJSON": ((0, "write", False),),
    "ensureDir": ((0, "write", False),), "mkdirp": ((0, "write", False),), "mkdirs": ((0, "write", False),),
    "ensureFile": ((0, "write", False),), "createFile": ((0, "write", False),),
    "readTextFile": ((0, "read", False),), "writeTextFile": ((0, "write", False),), "create": ((0, "write", False),),
}  # fmt: skip
RELOCATES = {"rename": "mv", "move": "mv", "symlink": "ln", "createSymlink": "ln", "ensureSymlink": "ln"}
SECRET = ("SECRET", "TOKEN", "PASSW", "KEY", "CREDENTIAL", "PRIVATE")
QUIET = frozenset(
    (
        "console JSON Object Array Math Number String Boolean Promise Error TypeError RangeError Date Map Set WeakMap "
        "URL URLSearchParams Worker Symbol Reflect Intl Buffer RegExp structuredClone setTimeout setInterval "
        "queueMicrotask describe it test expect assert document window fetch parseInt parseFloat isNaN Response "
        "Request Headers decodeURI decodeURIComponent unescape"
    ).split()
)
EACH = frozenset("forEach map filter flatMap some every find findLast".split())  # call a function with each item
GLOB_OPTIONS = frozenset("ignore nodir onlyFiles posix nocase gitignore exclude".split())  # that find no more
TEXT_METHODS = {
    "trim": "strip", "trimStart": "lstrip", "trimEnd": "rstrip", "toLowerCase": "lower", "toUpperCase": "upper",
    "toString": "__str__", "normalize": "__str__", "valueOf": "__str__",
}  # fmt: skip
PRINTING = ("ambient console", "console")
SENDING = ("ambient fetch", "fetch", "module axios", "module got", "axios", "got")
STREAMS = ("process.stdout.write", "process.stderr.write")
