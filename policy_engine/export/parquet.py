"""Write rows of decisions to a Parquet file, for DuckDB and everything else that reads one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import fields
from types import TracebackType
from typing import Any

from policy_engine.export.row import Row
from policy_engine.model.errors import ConfigurationError

SUFFIX = ".parquet"
GROUP = 10_000  # rows that are written together, and held until then
_COLUMNS = tuple(field.name for field in fields(Row))


class DecisionFile:
    """A Parquet file that appears under its name when everything is in it; a run that fails leaves none."""

    def __init__(self, name: str) -> None:
        """Raises ConfigurationError: pyarrow is not installed, or there is no place for the file."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ConfigurationError("`--out` needs pyarrow: pip install 'policy_engine[fleet]'") from None
        self.name = name
        self.written = 0
        self._rows: list[Row] = []
        self._arrow: Any = pyarrow
        try:
            handle, self._made = tempfile.mkstemp(SUFFIX, ".policy-", os.path.dirname(os.path.abspath(name)))
            os.close(handle)
        except OSError as problem:
            raise _cannot_write(name, problem) from None
        self._schema = _schema(pyarrow)
        self._writer: Any = pyarrow.parquet.ParquetWriter(self._made, self._schema, compression="zstd")

    def __enter__(self) -> DecisionFile:
        return self

    def write(self, rows: Iterable[Row]) -> None:
        """Add rows. Raises ConfigurationError if the disk takes no more."""
        for row in rows:
            self._rows.append(row)
            if len(self._rows) >= GROUP:
                self._flush()

    def _flush(self) -> None:
        columns = [[getattr(row, name) for row in self._rows] for name in _COLUMNS]
        try:
            self._writer.write_table(self._arrow.table(columns, schema=self._schema))
        except OSError as problem:
            raise _cannot_write(self.name, problem) from None
        self.written += len(self._rows)
        self._rows.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._flush()
            self._writer.close()
            if kind is None:
                os.replace(self._made, self.name)
        except OSError as problem:
            raise _cannot_write(self.name, problem) from None
        finally:
            if os.path.exists(self._made):
                os.unlink(self._made)


def _schema(pyarrow: Any) -> Any:
    """Return the types of the columns, in the order of `Row`."""
    text = pyarrow.string()
    kinds = {
        "time": pyarrow.timestamp("ms"),
        "number": pyarrow.int64(),
        "refused": pyarrow.bool_(),
        "undecided": pyarrow.bool_(),
        "rules": pyarrow.list_(pyarrow.struct([(name, text) for name in ("rule", "verdict", "outcome", "at")])),
    }
    return pyarrow.schema([(name, kinds.get(name, text)) for name in _COLUMNS])


def _cannot_write(name: str, problem: OSError) -> ConfigurationError:
    return ConfigurationError(f"cannot write `{name}`: {(problem.strerror or str(problem)).lower()}")
