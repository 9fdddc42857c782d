"""What code of any language destroys elsewhere and sends there."""

from __future__ import annotations

import pytest

from policy_engine.effects.remote import tell_remote
from policy_engine.filesystem.file_system import Virtual
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis

READ = "open('a.txt').read()"


def _does(language: str, code: str, in_file: bool = False) -> set[str]:
    filesystem = Virtual("/workspace", "/home/user")
    filesystem.write(filesystem.resolve("a.txt", "/workspace"), b"x")
    analysis = EffectAnalysis(filesystem.resolve(".", "/workspace"), filesystem, language)
    analyse(code, analysis)
    tell_remote(code, analysis, in_file)
    return {"destroys", "sends"} & set(analysis.words)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import boto3; boto3.client('s3').delete_bucket(Bucket='b')"),
        ("python", "import boto3; boto3.resource('s3').Bucket('b').objects.all().delete()"),
        ("python", "import psycopg2 as p; p.connect('postgres://prod/a').cursor().execute('DROP TABLE users')"),
        ("python", "import pymongo; pymongo.MongoClient('mongodb://prod').drop_database('shop')"),
        ("python", "import redis; redis.Redis('prod').flushall()"),
        ("node", "new (require('pg').Client)().query('DROP TABLE users')"),
        ("node", "c=require('@aws-sdk/client-s3');new c.S3Client().send(new c.DeleteBucketCommand({Bucket:'b'}))"),
        ("php", "(new PDO('mysql:host=prod'))->exec('DROP TABLE users');"),
        ("ruby", "PG.connect('postgres://prod').exec('DROP TABLE users')"),
        ("perl", "DBI->connect('dbi:Pg:host=prod')->do('DROP TABLE users')"),
    ],
)
def test_what_lies_elsewhere_is_destroyed_by_a_client(language: str, code: str) -> None:
    assert _does(language, code) == _does(language, code, True) == {"destroys"}


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import boto3; boto3.client('s3').upload_file('a.txt', 'b', 'k')"),
        ("python", f"import smtplib; smtplib.SMTP('h').sendmail('a', 'b', {READ})"),
        ("php", "$c=curl_init('https://x.example');curl_setopt($c,CURLOPT_POSTFIELDS,['f'=>new CURLFile('a.txt')]);"),
        ("ruby", "Aws::S3::Resource.new.bucket('b').object('k').upload_file('a.txt')"),
    ],
)
def test_a_file_is_sent_by_a_call_that_uploads(language: str, code: str) -> None:
    assert _does(language, code) == _does(language, code, True) == {"sends"}


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", f"import http.client as h; h.HTTPSConnection('x.example').request('POST', '/', {READ})"),
        ("python", f"import socket; socket.create_connection(('x.example', 9)).send({READ})"),
        ("node", "require('axios').post('https://x.example', require('fs').readFileSync('a.txt'))"),
        ("php", "curl_setopt(curl_init('https://x.example'),CURLOPT_POSTFIELDS,file_get_contents('a.txt'));"),
        ("ruby", "Net::HTTP.post(URI('https://x.example'), File.read('a.txt'))"),
    ],
)
def test_a_file_that_is_read_for_a_request_is_sent(language: str, code: str) -> None:
    assert _does(language, code) == _does(language, code, True) == {"sends"}


def test_a_file_that_is_read_beside_a_request_is_not_surely_sent_by_code_of_a_file() -> None:
    code = "config = File.read('a.txt')\nNet::HTTP.post(URI('https://x.example'), 'ready')"
    assert (_does("ruby", code), _does("ruby", code, True)) == ({"sends"}, set())


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import requests; requests.post('https://api.example', json={'a': 1})"),
        ("python", f"import requests; requests.post('http://localhost:8000', data={READ})"),
        ("python", f"import requests; t = {READ}; print(requests.get('https://x.example').text)"),
        ("python", "import sqlite3; sqlite3.connect('app.db').execute('DROP TABLE tmp')"),
        ("python", "import psycopg2; psycopg2.connect('postgres://localhost/t').cursor().execute('DROP TABLE a')"),
        ("python", "import psycopg2; psycopg2.connect('postgres://prod/t').cursor().execute('SELECT 1')"),
        ("python", "import pandas, sqlalchemy; pandas.read_sql('select 1', 'postgres://prod').drop_duplicates()"),
        ("python", "import boto3; print(boto3.client('s3').list_buckets())"),
        ("node", "console.log(require('fs').readFileSync('a.txt', 'utf8')); fetch('https://x.example')"),
    ],
)
def test_what_looks_or_stays_here_passes(language: str, code: str) -> None:
    assert _does(language, code) == set()


@pytest.mark.parametrize(
    ("language", "code"),
    [
        (
            "python",
            "from x.admin import A\na = A({\n  'bootstrap.servers': 'k.d.example:9092',\n})\n"
            "[f.result() for f in a.delete_topics(['o'])]",
        ),
        ("python", "import os, x\nfor q in x.connect(os.environ['MQ_URL']).queues():\n    q.purge()"),
        ("node", "new (require('x'))('q', {connection: {host: 'c.d.example'}}).obliterate()"),
        ("ruby", "D = X.connect('pg://db.d.example/a'); D[:o].where(a: 1).delete"),
        ("php", "$c = new X(getenv('CACHE_HOST')); $c->deleteMulti(['a']);"),
        ("perl", "my $l = X->new('ldap.d.example'); $l->delete('ou=a');"),
    ],
)
def test_a_client_of_any_library_destroys_by_its_verb(language: str, code: str) -> None:
    assert _does(language, code) == {"destroys"}
    assert not _does(language, code, True)  # of a file only what is certain counts


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import x; a = x.A(host='localhost'); a.delete_topics(['o'])"),
        ("python", "import x; p = x.P(servers='k.d.example:9092'); p.send('a'); p.flush()"),
        ("python", "import requests as r; d = r.get('https://a.d.example').json(); d.clear(); d.remove(1)"),
        ("node", "const u = new URL('https://a.d.example/?b=1'); u.searchParams.delete('b')"),
        ("ruby", "h = JSON.parse(URI.open('https://a.d.example').read); h.delete('a')"),
    ],
)
def test_what_the_code_has_for_itself_is_not_elsewhere(language: str, code: str) -> None:
    assert not _does(language, code)
