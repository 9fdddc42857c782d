"""Policies and migrations that imitate two earlier systems, beside the engine: it works without this package.

`rules/compat/` are the packs `pack:compat/…`, `migrations/` formats of `policy migrate`. The engine looks for it by its
path, and imports it where `policy migrate` asks for formats.
"""
