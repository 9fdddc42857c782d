"""Write what a call does to a database, or to another thing that lies elsewhere, as the line of the client for it.

A statement of SQL is `psql -c STATEMENT`, one of Mongo `mongosh --eval`, one of Redis `redis-cli`; a tool whose own
name says that it deletes a database, a bucket, a project is `mcp SERVER TOOL`. What only reads is none of these.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_STATED = frozenset("statement statements migration migrations migrationtext ddl dml".split())
_ASKED = frozenset("query queries querytext querystring q command commands text input code script content body".split())
"""Arguments that hold a statement where the tool is one of a database; elsewhere they are words to search for."""
_DATABASES = frozenset(
    "sql cypher neo4j memgraph "
    "database databases db postgres postgresql pg pgsql mysql mariadb mssql sqlserver oracle supabase neon neondb "
    "snowflake bigquery redshift clickhouse cockroach cockroachdb planetscale mongo mongodb cassandra dynamodb turso "
    "libsql d1 prisma dbhub trino presto databricks athena timescale timescaledb tidb singlestore spanner redis valkey "
    "keydb".split()
)
_EMBEDDED = frozenset("sqlite sqlite3 duckdb motherduck".split())
"""A file of this machine, which the paths of the call name: only what its statements open besides counts."""
_OPENING = frozenset("attach vacuum copy export import load backup restore bulk unload".split())
_OPENED_BY = (
    r"outfile|dumpfile|infile|readfile|writefile|read_\w+|parquet_scan|sniff_csv|pg_read_\w+|pg_ls_dir|pg_stat_file|"
    r"lo_import|load_file|load_extension|openrowset|bfilename|filename|file|glob|lo_export[^'\"]*"
)
"""Verbs of statements that open files of the database's machine, and what stands before their names in others."""
_MONGO = frozenset("mongo mongodb mongosh documentdb".split())
_MYSQL = frozenset("mysql mariadb".split())
_REDIS = frozenset("redis valkey keydb dragonfly".split())
_TRIES = frozenset(
    "explain validate format lint parse prepare translate convert generate preview dry check beautify test mock".split()
)
_LOOKS = frozenset("search find docs doc documentation lookup ask help suggest browse".split())

_OBJECTS = frozenset(
    "table tables database databases schema schemas keyspace index view materialized collection user role tablespace "
    "sequence function procedure trigger type extension column policy publication subscription server if only from "
    "graph constraint temporary warehouse stream stage owned".split()
)
_WORDS = {"delete": frozenset(("from",)), "update": frozenset(("set",))}
"""Verbs that are words of any text, with what makes them statements."""
_CHANGES = frozenset("truncate merge".split())
_HOLDS = frozenset("do call execute exec begin start with insert replace create match optional".split())
"""Verbs of statements in which another may stand."""
_RUNS = frozenset("execute exec prepare sp_executesql gexec".split())
"""Words by which a statement may run a text that is put together: the client for it tells what that does."""
_VERBS = frozenset("drop truncate delete alter update copy".split())

_DELETES = frozenset(
    "delete drop destroy purge terminate wipe truncate decommission nuke teardown obliterate erase".split()
)
_EMPTIES = frozenset("flushall flushdb flushdatabase dropdatabase dropcollection dropdb deleteall dropall".split())
_THINGS = frozenset(
    "database databases db keyspace schema bucket buckets cluster clusters project projects branch branches volume "
    "volumes namespace namespaces collection collections instance instances droplet droplets vm vms stack stacks "
    "repository repositories repo repos backup backups snapshot snapshots vault warehouse dataset datasets datastore "
    "deployment environment tenant account organization site domain zone".split()
)
_AMBIGUOUS = frozenset("table tables index indexes indices view topic topics queue server app function".split())
"""Things that a document, an interface or a notebook has too: counted where an argument names one as its text."""
_SURE = _DELETES - frozenset("delete drop truncate erase".split())
"""Verbs that are no words for what a tool does to a comment, a file or a row."""
_CLIENTS = frozenset("terraform tofu opentofu terragrunt tfc tfe pulumi cdk".split())
_SERVICES = frozenset(
    "kubernetes k8s kubectl helm cloudflare aws awslabs gcp gcloud azure heroku vercel netlify fly flyio railway "
    "render digitalocean hetzner linode vultr scaleway openstack vsphere proxmox nomad consul atlas confluent kafka "
    "elastic elasticsearch opensearch qdrant pinecone weaviate milvus firebase infra infrastructure cloud "
    "cloudformation cfn ccapi s3 ec2 ecs eks rds lambda route53 gke aks openshift rancher argocd dokploy coolify "
    "portainer upstash appwrite couchbase influxdb rabbitmq".split()
)
_HOSTS = frozenset("vercel netlify railway heroku fly flyio render cloudflare firebase".split())
_RELEASES = frozenset("deploy redeploy promote rollback".split())
_TOLD_OF = frozenset("status state log logs event events info list history url reader hook hooks preview docs".split())
_PAYMENTS = frozenset("stripe paypal paddle braintree".split())
_SMALL = frozenset(
    "comment comments message messages note notes label labels tag tags annotation annotations bookmark draft todo "
    "task tasks issue issues document documents doc row rows record records file files item items event events "
    "log logs cache session sessions tab tabs entity entities memory key keys point points vector vectors".split()
)
"""Nouns of what is one of many, also in a service; a resource of any other name is kept there."""
_ORDERS = frozenset("command cmd action method httpmethod operation op verb runaction actiontype operationtype".split())
_FLAGS = frozenset("destroy isdestroy destroyall forcedestroy".split())
_FORCES = frozenset("forcedelete deleteall purgeall wipe".split())
_COUNTS = frozenset("replicas scale desiredcount desiredcapacity instances instancecount nodecount machines".split())
_SEES = frozenset("get list describe show read search find plan query check watch count".split())
_PUTS_ON = frozenset("apply up deploy".split())
_LIVE = frozenset("production prod live prd main master".split())
_BEFORE = frozenset("if by from in with for and to of on at via using".split())
_MOST, _DEEP = 4, 6  # texts, and objects within one another
_MOST_FIELDS = 64
_SKIPPED = r"(?<!execute )(?<!immediate )'(?:[^']|'')*'|--[^\n]*|/\*(?!!).*?\*/"
"""Comments, and literals but those that are executed."""


def stated_line(
    words: list[str], server: Iterable[str], args: dict[str, Any], keys: dict[str, str]
) -> tuple[str, str] | None:
    """Return the line of the statements among the arguments of one object, and the key that holds them.

    Args:
        words: those of the tool's name.
        server: those of the server that has it.
        args: the object.
        keys: its keys, by how they read without marks.
    """
    named = {*words, *server}
    if not _TRIES.isdisjoint(words):
        return None
    if not _MONGO.isdisjoint(named) and "delete" in words and "many" in words:
        return _emptied(args, keys)
    database = not (_DATABASES | _EMBEDDED).isdisjoint(named)
    for plain, key in keys.items():
        sure = plain in _STATED or plain.endswith(("sql", "sqlstatement", "sqlquery", "sqlstatements", "sqlqueries"))
        if not sure and not (plain in _ASKED and database and _LOOKS.isdisjoint(words)):
            continue
        value = args[key]
        texts = [text for text in (value if type(value) is list else [value]) if type(text) is str]
        lines = _lines(texts, named)
        if lines:
            return "\n".join(lines), key
    return None


def _emptied(args: dict[str, Any], keys: dict[str, str]) -> tuple[str, str] | None:
    """Return the line that deletes documents of a collection, by a filter that an argument holds."""
    from json import dumps

    given = keys.get("filter") or keys.get("query")
    values = args[given] if given else {}
    form = values if type(values) is str else dumps(values)
    line = quote_words(["mongosh", "--eval", f"db.documents.deleteMany({form or '{}'})"])
    return line, given or next(iter(keys), "")


def _lines(texts: list[str], named: set[str]) -> list[str]:
    """Return the lines of the client that a server stands for, none for statements that only read."""
    if not _REDIS.isdisjoint(named):
        return [f"redis-cli {' '.join(texts)}"] if texts else []
    if not _MONGO.isdisjoint(named):
        return [quote_words(["mongosh", "--eval", text]) for text in texts if text.lstrip().startswith("db.")]
    if not _EMBEDDED.isdisjoint(named):
        client = ["sqlite3", ":memory:"] if "sqlite" in "".join(named) else ["duckdb", "-c"]
        return [quote_words([*client, text]) for text in texts if text.lstrip()[:1] == "." or _opens(text, "|from")]
    client = ["psql", "-c"] if _MYSQL.isdisjoint(named) else ["mysql", "-e"]
    return [quote_words([*client, text]) for text in texts if _changes(text) or _opens(text)]


def _opens(text: str, others: str = "") -> bool:
    """Return whether one of the statements in a text opens a file by its name, also after one of some other words."""
    import re

    bare = re.sub(r"--[^\n]*|/\*(?!!).*?\*/", " ", text.lower(), flags=re.DOTALL)
    named = "'" in bare or '"' in bare
    return named and (
        any(words[0] in _OPENING for words in _statements(text))
        or re.search(rf"(?<!['\"])\b({_OPENED_BY}{others})[\s(\[]*['\"]", bare) is not None
    )


def _changes(text: str) -> bool:
    """Return whether one of the statements in a text changes or hands over something, or may hold one that does."""
    return any(_changes_rows(verb, rest) for verb, *rest in _statements(text))


def _changes_rows(verb: str, rest: list[str]) -> bool:
    if verb in ("drop", "alter"):
        return not _OBJECTS.isdisjoint(rest[:1])
    if verb in _WORDS:
        return not _WORDS[verb].isdisjoint(rest)
    if verb in _RUNS or not _RUNS.isdisjoint(rest):
        return True
    return bool(rest) and (verb in _CHANGES or (verb in _HOLDS and not _VERBS.isdisjoint(rest)))


def _statements(text: str) -> list[list[str]]:
    """The words of each statement in small letters, without comments and literals."""
    import re

    bare = re.sub(_SKIPPED, " ", text.lower(), flags=re.DOTALL)
    parts = [re.findall(r"[a-z_]\w*", part) for part in bare.split(";")]
    return [words for words in parts if words]


def deleting_line(name: str, words: list[str], server: list[str], args: dict[str, Any]) -> str | None:
    """Return the line of a tool that deletes a thing that lies elsewhere, or has a client set up what runs there: by
    its own name, by an argument that is a verb, or by a flag. None of any other.
    """
    own = [word for word in words if word not in server] or words
    leaves = list(_leaves(args, _DEEP))
    if not own or not _TRIES.isdisjoint(words) or not name.startswith("mcp__") or any(map(_is_trial, leaves)):
        return None
    verb, named = _verb_first(own), {*words, *server}
    if not _is_told(own, args, named):
        told = _mutated(leaves) or ("" if own[0] in _SEES else _ordered(named, own, leaves))
        if not told:
            return None
        verb = [told, *(word for word in verb if word != told)]
    texts = [text for text in args.values() if type(text) is str and text and len(text) < 256 and "{" not in text]
    verbs = ["deploy"] if verb[0] == "deploy" else ["-".join(verb)]
    return quote_words(["mcp", "-".join(server) or "tool", *verbs, *texts[:_MOST]])


def begins_order(line: str) -> bool:
    """Return whether a line is no command but the verb of one that deletes."""
    return line.strip().lower().partition(" ")[0] in _SURE


def _is_told(own: list[str], args: dict[str, Any], named: set[str]) -> bool:
    """Return whether the tool's own name says that it deletes such a thing."""
    if not _EMPTIES.isdisjoint(own):
        return True
    return not _DELETES.isdisjoint(own) and (_names_thing(own, args) or _names_resource(own, named))


def _names_resource(own: list[str], named: set[str]) -> bool:
    """Return whether a tool of a service names what it deletes, and that is not one of many there."""
    nouns = [word for word in own if word not in _DELETES and word not in _BEFORE]
    if not nouns or own[0] in _SEES or not _SMALL.isdisjoint(nouns) or not _EMBEDDED.isdisjoint(named):
        return False
    if not (_SERVICES | _CLIENTS).isdisjoint(named):
        return not set(nouns) <= _SERVICES
    return not _DATABASES.isdisjoint(named) and nouns[-1] in _AMBIGUOUS


def _mutated(leaves: list[tuple[str, Any]]) -> str:
    """Return the verb of a mutation of GraphQL by which such a thing is deleted, "" if there is none."""
    import re

    for _, text in leaves:
        if type(text) is not str or not text.lstrip().startswith("mutation"):
            continue
        for field in re.findall(r"[A-Za-z]\w*(?=\s*[({])", text)[:_MOST_FIELDS]:
            words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", field)
            words = [word.lower() for word in words]
            if not _DELETES.isdisjoint(words) and not _THINGS.isdisjoint(words) and _SMALL.isdisjoint(words):
                return "delete"
    return ""


def _ordered(named: set[str], own: list[str], leaves: list[tuple[str, Any]]) -> str:
    """Return the verb that a tool is given, or has in its name as one of a service, "" if there is none.

    Args:
        named: the words of the tool and of its server.
        own: those of the tool.
        leaves: its arguments and those below them, by plain keys.
    """
    service = not (_CLIENTS | _SERVICES | _DATABASES).isdisjoint(named)
    thing = any(type(value) is str and value.lower() in _THINGS for _, value in leaves) or not _THINGS.isdisjoint(own)
    orders = {
        value.lower().split()[0] for key, value in leaves if key in _ORDERS and type(value) is str and value.strip()
    }
    flags = {key for key, value in leaves if value is True or (type(value) is str and value.lower() == "true")}
    if not orders.isdisjoint(_SURE) or not flags.isdisjoint(_FLAGS) or (service and not _SURE.isdisjoint(own)):
        return "destroy"
    if not orders.isdisjoint(_DELETES) and (service or thing or any(map(_is_elsewhere, leaves))):
        return "delete"
    if (service or thing) and not flags.isdisjoint(_FORCES):
        return "delete"
    if not _REDIS.isdisjoint(named) and {"delete", "del", "unlink"} & {*own} and ("*" in (one for _, one in leaves)):
        return "delete"  # each key
    if not _PAYMENTS.isdisjoint(named) and own[0] in ("cancel", "refund", "delete"):
        return "delete"
    if service and "scale" in own and any(key in _COUNTS and str(value) == "0" for key, value in leaves):
        return "deploy"
    if not _HOSTS.isdisjoint(named) and own[0] in _RELEASES and _TOLD_OF.isdisjoint(own):
        return "deploy"
    live = any(type(value) is str and value.lower() in _LIVE for _, value in leaves)
    if service and live and "reset" in own:
        return "destroy"
    return "deploy" if not _CLIENTS.isdisjoint(named) and not _PUTS_ON.isdisjoint({*own, *orders}) else ""


def _is_elsewhere(leaf: tuple[str, Any]) -> bool:
    """Return whether an argument is an address of another machine."""
    from policy_engine.model.addresses import leads_to

    address = type(leaf[1]) is str and leaf[1].startswith(("https://", "http://"))
    return address and not leads_to(leaf[1], "loopback")


def _leaves(value: Any, depth: int, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the arguments of a call, those within others included, with their keys without marks."""
    if type(value) is dict and depth:
        for name, each in value.items():
            yield from _leaves(each, depth - 1, _plain(name))
    elif type(value) is list and depth:
        for each in value:
            yield from _leaves(each, depth - 1, key)
    else:
        yield key, value


def _names_thing(own: list[str], args: dict[str, Any]) -> bool:
    """Return whether the noun that a tool's name ends with is a thing that is kept elsewhere."""
    end = next((place for place, word in enumerate(own) if place and word in _BEFORE), len(own))
    nouns = [word for word in own[:end] if word not in _DELETES]
    if not nouns:
        return False
    noun = nouns[-1]
    if noun in _AMBIGUOUS:
        one = noun.removesuffix("s")
        return any(_is_name_of(one, key) and type(value) is str for key, value in args.items())
    return noun in _THINGS


def _is_name_of(noun: str, key: str) -> bool:
    return _plain(key) in (noun, f"{noun}name", f"{noun}id", f"{noun}arn", f"{noun}s")


def _is_trial(leaf: tuple[str, Any]) -> bool:
    key, value = leaf
    if type(value) is str and key in ("runtype", "mode", "operation", "action"):
        return _plain(value) in ("plan", "planonly", "preview", "dryrun", "refreshonly")
    if key == "dryrun" and type(value) is str:
        return value.lower() in ("all", "server", "client", "true")
    return value is True and key in ("dryrun", "preview", "plan", "planonly")


def _plain(key: str) -> str:
    return "".join(char for char in key.lower() if char.isalnum())


def _verb_first(own: list[str]) -> list[str]:
    verbs = [word for word in own if word in _DELETES | _EMPTIES]
    return [*verbs, *(word for word in own if word not in verbs)]
