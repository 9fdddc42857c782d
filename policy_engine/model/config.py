"""The settings of a repository's `.policy/policy.toml`. pydantic at the border, off the hook path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from policy_engine.model.schemas import address
from policy_engine.model.store_address import SCHEMES, SQLITE, fault_of

DIALECT = "http://json-schema.org/draft-07/schema#"  # that of the schema store, and of the editors that read TOML by it


def _store(value: str) -> str:
    fault = fault_of(value)
    if fault:
        raise ValueError(fault)
    return value


class HookSettings(BaseModel):
    """Hold what an organisation or a user sets of hooks (hook_process/starting.py)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    resident: Literal["auto", "off"] = Field(
        default="auto",
        description="whether a hook that its host started may start a resident engine for those after it",
    )


class CheckSettings(BaseModel):
    """Hold what a repository sets of `policy check`; it changes no decision."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    ignore: dict[str, Annotated[str, Field(pattern=r"\S")]] = Field(
        default={},
        description="lints whose findings are set aside in the whole repository, each with the reason",
    )


class Settings(BaseModel):
    """Hold what a policy folder sets; unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    host_timeout_seconds: int = Field(
        default=60,
        gt=0,
        le=86_400,
        description="how long the agent's host waits for a hook before it goes on without an answer; the sum of the "
        "timeouts of `hook` declarations at one point must stay below it (lint `timeout-sum`)",
    )
    require_repository_policy: bool = Field(
        default=False,
        description="of an organisation or a user: where the repository has no policy in force, everything that can be "
        "refused is",
    )
    store: Annotated[str, AfterValidator(_store)] = Field(
        default=SQLITE,
        description="of an organisation or a user: where hooks keep sessions, without a password",
        json_schema_extra={"pattern": f"^({SQLITE}$|{'|'.join(SCHEMES)})"},
    )
    hook: HookSettings = Field(default=HookSettings(), description="how hooks run; of an organisation or a user")
    check: CheckSettings = Field(default=CheckSettings(), description="how policies are checked; of a repository")


def settings_schema(lints: Iterable[str]) -> dict[str, Any]:
    """Return the JSON Schema of `policy.toml`, in which `lints` are known.

    The engine is stricter: it refuses a password in `store`.
    """
    schema = Settings.model_json_schema()
    schema["$defs"]["CheckSettings"]["properties"]["ignore"]["propertyNames"] = {"enum": sorted(lints)}
    about = {"title": "Settings of a policy folder", "description": "what `policy.toml` says to the engine"}
    return {"$schema": DIALECT, "$id": address("settings"), **schema, **about}
