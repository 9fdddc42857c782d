"""Family of fuzz targets: one file each, with `target(data: bytes)`, which raises for a finding and nothing else.

`SEEDS` are inputs to begin with; what is kept beside them stands below tests/fuzz/corpus/.
"""
