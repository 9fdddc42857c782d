"""`openssl`: makes keys, encrypts and decrypts: reads `-in`, writes `-out`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    words = arguments.operands
    shown = words[:1] == ["x509"] and not {"-signkey", "-CAkey"} & set(words)  # of a file only its certificate
    analysis.complete = shown
    for place, word in enumerate(words[:-1]):
        if word == "-in" and shown:
            continue
        if word in ("-in", "-inkey", "-key", "-CAkey", "-kfile", "-config"):
            paths.append(analysis.path(words[place + 1], "read"))
        elif word in ("-out", "-keyout", "-CAserial"):
            paths.append(analysis.path(words[place + 1], "write"))
    if "-d" in words or "-decrypt" in words:
        analysis.does("decodes")
    if words[:1] in (["s_client"], ["s_server"]):
        analysis.does("network", "sends")
    return paths
