"""Say whether a property of MSBuild keeps `dotnet test` from proving anything. Imported by the hook path.

Properties stand on the line (`-p:NAME=VALUE`, `/property:A=1;B=2`), or are variables of the environment; their names
have no case.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.test_runs.classify import Run

_SWITCHES = ("p", "property")
_SHOWN = frozenset(
    "vstestlogger vstestverbosity vstestresultsdirectory vstestnologo vstestdiag vstestcollect vstestblame "
    "vstestblamecrash vstestblamehang vstestblamehangtimeout vstestblamecrashdumptype vstestblamehangdumptype "
    "vstestusemsbuildoutput vstestframework vstestplatform vstestartifactsprocessingmode vstestsessioncorrelationid "
    "vstesttracedatacollectordirectorypath".split()
)
"""Properties of VSTest that say what is shown and kept of a run."""
_CHOOSING = ("customaftermicrosoft", "custombeforemicrosoft", "directorybuildprops", "directorybuildtargets",
             "importdirectorybuild")  # fmt: skip
"""Beginnings of properties that name files with other properties, or leave those of the repository out."""
_NEEDED = ("istestproject", "istestingplatformapplication", "enabledefaultcompileitems", "enabledefaultitems")
_OPTIONS_SHOWN = ("--report-", "--coverage", "--results-directory", "--output", "--no-progress", "--no-ansi",
                  "--no-banner", "--diagnostic", "--hangdump", "--crashdump", "--timeout")  # fmt: skip


def why_chosen_by(name: str, value: str) -> str:
    """Return why a property keeps a run from proving anything, "" if it does not."""
    low, set_to = name.lower(), value.strip("\"' ").lower()
    if low == "testingplatformcommandlinearguments":
        chooses = not all(word.startswith(_OPTIONS_SHOWN) for word in set_to.split() if word[:1] == "-")
    elif low in _NEEDED:
        chooses = set_to == "false"
    elif low == "vstestlisttests":
        chooses = set_to == "true"
    else:
        chooses = low == "runsettingsfilepath" or low.startswith(_CHOOSING)
        chooses = chooses or (low[:6] == "vstest" and low[6:7] not in ("", "_") and not _is_harmless(low, set_to))
        chooses = chooses and set_to != ""
    return f"the property `{name}` leaves tests out, or changes what runs" if chooses else ""


def _is_harmless(low: str, set_to: str) -> bool:
    return low in _SHOWN or (low == "vstestnobuild" and set_to != "true")


def without_properties(words: tuple[str, ...], run: Run) -> tuple[str, ...]:
    """Return the words without those that set properties, and refuse a run for what these choose."""
    kept: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return (*kept, word, *rest)
        switch, colon, text = word.lstrip("-/").partition(":")
        if word[:1] not in "-/" or not word or switch.partition("=")[0].lower() not in _SWITCHES:
            kept.append(word)
            continue
        if not colon:
            _, _, text = word.partition("=")
            text = text or (rest.pop(0) if rest and "=" in rest[0] and rest[0][:1] not in "-/" else "")
        for item in text.strip("\"'").replace(",", ";").split(";"):
            name, _, value = item.strip("\"' ").partition("=")
            if name.lower() in ("vstestnobuild", "nobuild", "buildprojectreferences"):
                if (value.lower() == "false") is (name.lower() == "buildprojectreferences"):
                    run.prebuilt = f"with `{name}={value}` it runs what was built before"
            elif why := why_chosen_by(name, value):
                run.refuse(why, part=True)
    return tuple(kept)
