"""The resident process holds what its events import: a process that is forked for one imports nothing again."""

from __future__ import annotations

from policy_engine.cache import bundle
from policy_engine.serving import evaluation


def test_every_room_that_a_hook_process_may_need_is_held() -> None:
    assert set(bundle.ROOMS) - {"protocol"} <= set(evaluation._ROOMS)
