"""Tables of the functions and methods of Python's libraries that touch files or start programs.

Taken from the documentation of the standard library (3.13) and of the libraries that they name.
"""

from __future__ import annotations

LINES = frozenset(
    (
        "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "
        "commands.getstatusoutput "
        "asyncio.create_subprocess_shell pexpect.run pexpect.spawn invoke.run fabric.run popen2.popen2 platform.popen "
        "posix.system nt.system pty.spawn IPython.get_ipython.system"
    ).split()
)
COMMANDS = frozenset(
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen".split()
)
WORDS = frozenset("asyncio.create_subprocess_exec pexpect.spawn pty.spawn".split())
# name -> the place of the first word of the command that replaces or starts a process; lists or words
EXECUTES = {
    "os.execv": (0, "list"), "os.execve": (0, "list"), "os.execvp": (0, "list"), "os.execvpe": (0, "list"),
    "os.posix_spawn": (0, "list"), "os.posix_spawnp": (0, "list"),
    "posix.execv": (0, "list"), "posix.execve": (0, "list"),
    "os.execl": (0, "words"), "os.execle": (0, "words"), "os.execlp": (0, "words"), "os.execlpe": (0, "words"),
    "os.spawnv": (1, "list"), "os.spawnve": (1, "list"), "os.spawnvp": (1, "list"), "os.spawnvpe": (1, "list"),
    "os.spawnl": (1, "words"), "os.spawnle": (1, "words"), "os.spawnlp": (1, "words"), "os.spawnlpe": (1, "words"),
}  # fmt: skip
# name -> (argument, its keyword, access, recursive) of each path it touches
TOUCHES: dict[str, tuple[tuple[int, str, str, bool], ...]] = {
    "os.remove": ((0, "path", "delete", False),), "os.unlink": ((0, "path", "delete", False),),
    "os.rmdir": ((0, "path", "delete", False),), "os.removedirs": ((0, "name", "delete", False),),
    "shutil.rmtree": ((0, "path", "delete", True),), "send2trash.send2trash": ((0, "paths", "delete", True),),
    "distutils.dir_util.remove_tree": ((0, "directory", "delete", True),),
    "os.mkdir": ((0, "path", "write", False),), "os.makedirs": ((0, "name", "write", False),),
    "os.mkfifo": ((0, "path", "write", False),), "os.mknod": ((0, "path", "write", False),),
    "os.chmod": ((0, "path", "write", False),), "os.lchmod": ((0, "path", "write", False),),
    "os.chown": ((0, "path", "write", False),), "os.lchown": ((0, "path", "write", False),),
    "shutil.chown": ((0, "path", "write", False),), "os.truncate": ((0, "path", "write", False),),
    "os.utime": ((0, "path", "write", False),), "os.setxattr": ((0, "path", "write", False),),
    "os.rename": ((0, "src", "read", False), (0, "src", "delete", True), (1, "dst", "write", True)),
    "os.renames": ((0, "old", "read", False), (0, "old", "delete", True), (1, "new", "write", True)),
    "os.replace": ((0, "src", "read", False), (0, "src", "delete", True), (1, "dst", "write", True)),
    "shutil.move": ((0, "src", "read", True), (0, "src", "delete", True), (1, "dst", "write", True)),
    "shutil.copy": ((0, "src", "read", False), (1, "dst", "write", False)),
    "shutil.copy2": ((0, "src", "read", False), (1, "dst", "write", False)),
    "shutil.copyfile": ((0, "src", "read", False), (1, "dst", "write", False)),
    "shutil.copymode": ((1, "dst", "write", False),), "shutil.copystat": ((1, "dst", "write", False),),
    "shutil.copytree": ((0, "src", "read", True), (1, "dst", "write", True)),
    "distutils.dir_util.copy_tree": ((0, "src", "read", True), (1, "dst", "write", True)),
    "shutil.make_archive": ((2, "root_dir", "read", True), (0, "base_name", "write", False)),
    "os.link": ((0, "src", "write", False), (1, "dst", "write", False)),
    "os.symlink": ((1, "dst", "write", False),),
    "urllib.request.urlretrieve": ((1, "filename", "write", False),),
    "dotenv.load_dotenv": ((0, "dotenv_path", "read", False),),
    "dotenv.dotenv_values": ((0, "dotenv_path", "read", False),),
    "runpy.run_path": ((0, "path_name", "run", False), (0, "path_name", "read", False)),
    "numpy.save": ((0, "file", "write", False),),
    "numpy.savetxt": ((0, "fname", "write", False),), "numpy.load": ((0, "file", "read", False),),
    "linecache.getline": ((0, "filename", "read", False),), "linecache.getlines": ((0, "filename", "read", False),),
    "importlib.util.spec_from_file_location": ((1, "location", "run", False),),
    "shelve.open": ((0, "filename", "write", False),), "shelve.DbfilenameShelf": ((0, "filename", "write", False),),
    "dbm.open": ((0, "file", "write", False),), "dbm.gnu.open": ((0, "filename", "write", False),),
    "dbm.ndbm.open": ((0, "filename", "write", False),), "dbm.dumb.open": ((0, "filename", "write", False),),
    "dbm.sqlite3.open": ((0, "filename", "write", False),),
    "distutils.file_util.write_file": ((0, "filename", "write", False),),
    "distutils.file_util.copy_file": ((0, "src", "read", False), (1, "dst", "write", False)),
    "venv.create": ((0, "env_dir", "write", True),), "venv.EnvBuilder().create": ((0, "env_dir", "write", True),),
    "xml.etree.ElementTree.ElementTree().write": ((0, "file_or_filename", "write", False),),
    "xml.etree.ElementTree.parse().write": ((0, "source", "write", False),),
    "tracemalloc.take_snapshot().dump": ((0, "filename", "write", False),),
    "readline.append_history_file": ((1, "filename", "write", False),),
}  # fmt: skip
# the same of functions that touch only what they are given by name or place; 99: by name alone
GIVEN: dict[str, tuple[tuple[int, str, str, bool], ...]] = {
    "logging.basicConfig": ((99, "filename", "write", False),), "trace.Trace": ((7, "outfile", "write", False),),
    "cProfile.run": ((1, "filename", "write", False),), "cProfile.runctx": ((3, "filename", "write", False),),
    "profile.run": ((1, "filename", "write", False),), "profile.runctx": ((3, "filename", "write", False),),
    "py_compile.compile": ((0, "file", "read", False), (1, "cfile", "write", False)),
    "zipapp.create_archive": ((0, "source", "read", True), (1, "target", "write", False)),
    "readline.write_history_file": ((0, "filename", "write", False),),
    "http.cookiejar.MozillaCookieJar": ((0, "filename", "write", False),),
    "http.cookiejar.LWPCookieJar": ((0, "filename", "write", False),),
    "http.cookiejar.MozillaCookieJar().save": ((0, "filename", "write", False),),
    "http.cookiejar.LWPCookieJar().save": ((0, "filename", "write", False),),
}  # fmt: skip
LOG_FILES = frozenset(  # classes that open a file for writing when an object of them is made
    (
        "logging.FileHandler logging.handlers.RotatingFileHandler logging.handlers.TimedRotatingFileHandler "
        "logging.handlers.WatchedFileHandler"
    ).split()
)
INSTANCES = frozenset(  # functions whose results are known by their names, with `()` behind
    (
        "xml.etree.ElementTree.ElementTree xml.etree.ElementTree.parse tracemalloc.take_snapshot venv.EnvBuilder "
        "http.cookiejar.MozillaCookieJar http.cookiejar.LWPCookieJar"
    ).split()
)
CODES = {  # functions that run code which they are given as a text, with the names of those arguments
    "cProfile.run": ("statement",), "cProfile.runctx": ("statement",), "profile.run": ("statement",),
    "profile.runctx": ("statement",), "timeit.timeit": ("stmt", "setup"), "timeit.repeat": ("stmt", "setup"),
    "timeit.Timer": ("stmt", "setup"), "pdb.run": ("statement",), "pdb.runeval": ("expression",),
}  # fmt: skip
# name -> the program that leaves the same on the disk
RELOCATES = {
    "os.rename": "mv", "os.renames": "mv", "os.replace": "mv", "shutil.move": "mv", "os.symlink": "ln",
}  # fmt: skip
OPENS = frozenset(
    (
        "open io.open io.open_code io.FileIO _io.open _io.FileIO codecs.open gzip.open bz2.open lzma.open "
        "gzip.GzipFile bz2.BZ2File lzma.LZMAFile os.fdopen tokenize.open wave.open aifc.open sunau.open"
    ).split()
)
PATH_METHODS: dict[str, tuple[str, bool]] = {
    "write_text": ("write", False), "write_bytes": ("write", False), "read_text": ("read", False),
    "read_bytes": ("read", False), "unlink": ("delete", False), "rmdir": ("delete", False), "touch": ("write", False),
    "mkdir": ("write", False), "chmod": ("write", False), "lchmod": ("write", False), "symlink_to": ("write", False),
    "hardlink_to": ("write", False), "link_to": ("write", False), "rmtree": ("delete", True),
}  # fmt: skip
HARMING = frozenset("write_text write_bytes unlink rmdir touch symlink_to hardlink_to link_to rmtree".split())
WRITERS = frozenset(  # methods of libraries' objects whose first argument is a file that they write
    (
        "to_csv to_json to_excel to_parquet to_pickle to_html to_feather to_sql savefig imsave save_pretrained "
        "extract write_parquet write_csv sink_csv dump_stats"
    ).split()
)
PATH_RESULTS = frozenset("resolve absolute expanduser as_posix __str__ __fspath__".split())
PATHS = frozenset(
    (
        "pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath"
    ).split()
)  # fmt: skip
SAME_TEXT = frozenset(
    "str bytes os.fspath os.fsencode os.fsdecode os.path.abspath os.path.realpath os.path.normpath shlex.quote".split()
)
RUNS_EACH = frozenset("map filter imap imap_unordered starmap".split())
TAKES_FUNCTION = frozenset(
    (
        "functools.partial threading.Thread threading.Timer multiprocessing.Process atexit.register submit apply "
        "apply_async call_soon call_later run_in_executor asyncio.to_thread to_thread signal.signal operator.call "
        "functools.partialmethod"
    ).split()
)
DANGEROUS = (
    "os",
    "posix",
    "subprocess",
    "shutil",
    "builtins",
    "__builtins__",
    "pty",
    "ctypes",
    "pathlib",
    "importlib",
)
SECRET = ("SECRET", "TOKEN", "PASSW", "KEY", "CREDENTIAL", "PRIVATE")
TEXT_METHODS = frozenset(
    (
        "strip lstrip rstrip lower upper title capitalize swapcase replace removeprefix removesuffix zfill ljust rjust "
        "center expandtabs casefold translate"
    ).split()
)
TEXT_QUIET = frozenset(  # functions that only show, compare or keep the texts that they are given
    (
        "print repr len input isinstance hash id type sorted logging logger log warnings re json textwrap unittest "
        "pytest max min sum abs round bool any all "
        "argparse click assert ast yaml toml tomllib string datetime time math random collections itertools csv sys"
    ).split()
)
PATH_QUIET = frozenset(  # functions and modules that open no file by a name that they are given
    (
        "print repr len input isinstance hash id type sorted logging logger log warnings re textwrap unittest "
        "argparse click assert ast string datetime time math random collections itertools sys os shutil fnmatch "
        "glob shlex str pathlib importlib tempfile difflib operator functools urllib.parse subprocess dumps dump "
        "loads exists isfile isdir access stat getattr setattr hasattr format bytes compile match join exit set "
        "list dict tuple import_module require abs range max min any all map filter zip enumerate platform getpass "
        "locale gettext struct uuid hashlib base64 html zipfile tarfile sqlite3 socket ssl http requests httpx "
        "aiohttp "
    ).split()
)
READING = ("read", "load", "parse", "open", "from_", "scan", "get_data", "slurp", "cat", "ingest")
"""How the methods of unknown objects begin that read the file which they are given."""
CODE_OPTIONS = ("'-c' '", "'-lc' '", "'-e' '", "| 'bash'", "| 'sh'")  # before code that a started program runs
SCRATCH_FOLDERS = {  # function of `tempfile` -> the place of the folder in which it makes a file
    "mkdtemp": 2, "mkstemp": 2, "mktemp": 2, "TemporaryDirectory": 2, "NamedTemporaryFile": 6, "TemporaryFile": 6,
    "SpooledTemporaryFile": 7,
}  # fmt: skip
SCRATCH = "/tmp/python-tempfile"  # a name that `tempfile` may give, below a folder for scratch files
HARMS = frozenset((*TOUCHES, *LINES, *COMMANDS, *EXECUTES))
"""Functions that do harm wherever something calls them that is handed them with their arguments."""
PRINTS = frozenset(
    "print pprint.pprint pprint.pp rich.print sys.stdout.write sys.stdout.writelines sys.stderr.write "
    "sys.stderr.writelines sys.__stdout__.write".split()
)
PATH_ADDS = frozenset("sys.path.insert sys.path.append sys.path.extend site.addsitedir".split())
