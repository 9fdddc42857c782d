"""The settings of a repository's `.policy/policy.toml`. pydantic at the border, off the hook path."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from policy_engine.model.store_address import SQLITE, fault_of


def _store(value: str) -> str:
    fault = fault_of(value)
    if fault:
        raise ValueError(fault)
    return value


class HookSettings(BaseModel):
    """`resident`: whether a hook that its host started may start a resident engine for those after it; of an
    organisation or a user (hook_process/starting.py)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    resident: Literal["auto", "off"] = "auto"


class Settings(BaseModel):
    """Unknown keys and wrong types are errors.

    `host_timeout_seconds` is how long the agent's host waits for a hook before it goes on without an answer; the sum of
    the timeouts of `hook` declarations at one point must stay below it (lint `timeout-sum`).
    `require_repository_policy`, of an organisation or a user: where the repository has no policy in force, everything
    that can be refused is. `store`, of the same, is where hooks keep sessions (loading/settings_source.py).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    host_timeout_seconds: int = Field(default=60, gt=0, le=86_400)
    require_repository_policy: bool = False
    store: Annotated[str, AfterValidator(_store)] = SQLITE
    hook: HookSettings = HookSettings()
