"""Keep the first and the last of many bytes in bounded memory, with a count of what lies between."""

from __future__ import annotations


class Kept:
    """Head and tail of a stream; `size` counts every byte that came."""

    __slots__ = ("_head", "_head_room", "_tail", "_tail_room", "size")

    def __init__(self, head: int = 0, tail: int = 0) -> None:
        self._head_room, self._tail_room = head, tail
        self._head, self._tail = bytearray(), bytearray()
        self.size = 0

    def add(self, data: bytes) -> None:
        """The next bytes of the stream."""
        self.size += len(data)
        room = self._head_room - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._tail_room:
            del self._tail[: len(self._tail) - self._tail_room]

    @property
    def left_out(self) -> int:
        """Return how many bytes between head and tail are not kept."""
        return self.size - len(self._head) - min(len(self._tail), self._tail_room)

    def data(self) -> bytes:
        """Return what is kept; a line says how much is missing between head and tail."""
        missing = self.left_out
        tail = bytes(self._tail[-self._tail_room :]) if self._tail_room else b""
        gap = f"\n[{missing} bytes left out]\n".encode() if missing else b""
        return bytes(self._head) + gap + tail

    def last_line(self) -> bytes:
        """The last line with something in it, as far as the tail reaches back."""
        end = self._tail if self.left_out else self._head + self._tail
        lines = bytes(end[-4096:]).split(b"\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), b"")
