"""Poll a reloader in a background thread when the file system says so, and every second in any case.

The only home of watchdog. Folders are watched, not files: editors replace files. Notifications only shorten the wait;
a watch that cannot be had (no inotify left, a network file system) leaves the polling, which is always there.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from policy_engine.loading.reloader import Reloader

DEBOUNCE_SECONDS = 0.02
THOROUGH = (
    10  # every so manieth look reads all files, whatever their status says: a network file system may hold it back
)


def watch(reloader: Reloader, every: float) -> threading.Event:
    """Start; set the returned event to stop. `every` is the longest time between two looks, in seconds."""
    stop, wake = threading.Event(), threading.Event()
    observer = _observe(reloader, wake)

    def loop() -> None:
        looks = 0
        while not stop.is_set():
            if wake.wait(every):
                stop.wait(DEBOUNCE_SECONDS)  # a burst of writes becomes one look; its delay has this ceiling
                wake.clear()
            if not stop.is_set():
                looks += 1
                _look(reloader, looks % THOROUGH == 0)
        if observer is not None:
            observer.stop()

    threading.Thread(target=loop, name="policy-watch", daemon=True).start()
    return stop


def _look(reloader: Reloader, thorough: bool) -> None:
    before = reloader.errors
    try:
        reloader.poll(thorough)
    except Exception as error:  # a thread that ended would leave an old policy in force and say nothing
        sys.stderr.write(f"policy: {type(error).__name__}: {error}\n")
        return
    if reloader.errors != before:
        for line in reloader.errors:
            sys.stderr.write(f"policy: {line}\n")


def _observe(reloader: Reloader, wake: threading.Event) -> _Observer | None:
    """Watch the folders of the paths; None if that cannot be had."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers import Observer

    class Waker(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            wake.set()

    try:
        observer = Observer()
        for folder in {path if path.is_dir() else path.parent for path in map(Path, reloader.paths)}:
            observer.schedule(Waker(), str(folder), recursive=True)
        observer.start()
    except OSError as error:
        sys.stderr.write(f"policy: no notifications ({error.strerror}); polling instead\n")
        return None
    return observer


TYPE_CHECKING = False
if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver as _Observer
