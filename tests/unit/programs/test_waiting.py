"""The table of programs that wait for what a person types, by calls that do and calls that are given their work."""

from __future__ import annotations

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.programs._rows import WAITS
from policy_engine.shell.parse import parse

WAITING = """
python -i a.py --help
python -m pdb a.py
k9s
ssh host --
bash
zsh -l
sh -
/bin/bash --norc -i
bash -s
python3.11
python3 -q -W error
python3 -i app.py
python3 -m pdb app.py
python3 manage.py shell
node -i
node inspect app.js
irb -r ./lib/x
iex -S mix
php -a
php artisan tinker
perl -de1
psql -hlocalhost -Ualice app
mysql -uroot -psecret app
mysql -h db -p app
sqlite3 -header -column app.db
redis-cli -h db -p 6380
mongosh mongodb://localhost/app
gdb -p 12
ssh -i key -p 2222 dev@host
ssh -t host
telnet host 25
sftp host
script -q /dev/null
tmux
tmux new -s work
tmux attach -t work
screen -S work
vim +10 README.md
nvim README.md
nano README.md
emacs -nw README.md
less README.md
top
git rebase -i HEAD~3
git -C sub rebase --interactive main
git add -p src
git commit --patch
git stash push -p
docker run -i -t alpine
docker run --rm -v x:/x --name n -ti alpine
docker compose run web
docker attach web
kubectl run tmp -i --rm --image=busybox
kubectl edit deploy/web
nix develop
nix-shell -p jq
gcloud compute ssh vm --zone a
fly ssh console
vagrant ssh
rails c -e test
poetry shell
env FOO=1 python3
timeout 60 bash
docker exec -it web bash
ssh host bash
python3 -c 'import pty; pty.spawn("/bin/sh")'
python3 -c 'import os; os.system("bash")'
bash -c python3
(cd src && node)
""".strip().split("\n")
GIVEN = """
bash run.sh -i
bash -lc ls
sh -n run.sh
bash --version
bash < run.sh
echo ls | bash
bash <<< ls
python3 app.py -i
python3 -m pytest
python3 -ic pass < /dev/null
python3 - < app.py
python3 manage.py shell -c 'print(1)'
node -e 1
node -pe 1
node --test
ruby -ne print README.md
perl -pi -e s/a/b/ README.md
psql -U alice -d app -c 'select 1'
psql -lqt
psql app < q.sql
mysql -uroot app -e 'show tables'
mysql -uroot -Bse 'select 1'
cat q.sql | sqlite3 app.db
sqlite3 app.db 'select 1'
redis-cli -h db ping
mongosh app script.js
gdb -batch -ex bt ./a core
ssh host uptime
ssh -N -L 1:localhost:1 host
ssh -T git@github.com
script -qec 'npm test' /dev/null
tmux new -d -s work
tmux ls
screen -dmS work ./serve.sh
vim -es -c '%s/a/b/' -c wq README.md
nvim --headless +qa
emacs --batch -l x.el
git log | less
top -b -n 1
git rebase main
GIT_SEQUENCE_EDITOR=true git rebase -i --autosquash main
git -c sequence.editor=: rebase -i main
git add -A
git commit -m -p
docker run --rm alpine
docker run -it --rm -v .:/w -w /w node:20 npm test
docker run -itd alpine
docker exec -it web ls /app
docker exec -i db psql -U app < seed.sql
docker compose exec -T web npm test
kubectl exec -it pod -- ls
nix develop -c make
gcloud compute ssh vm --command uptime
poetry run pytest
while read -r line; do ssh host true; done < hosts
{ python3; } < app.py
man git
python -m pudb --help
python3 -m pdb -h
k9s info
lazydocker --version
sqlite3 -help
./run.sh
""".strip().split("\n")


def _waits(line: str) -> bool:
    filesystem = Virtual("/workspace", "/home/user")
    return any(effects_of(command).waits for command in parse(line, "/workspace", filesystem))


@pytest.mark.parametrize("line", WAITING)
def test_it_waits_for_what_a_person_types(line: str) -> None:
    assert _waits(line)


@pytest.mark.parametrize("line", GIVEN)
def test_it_is_given_its_work(line: str) -> None:
    assert not _waits(line)


def test_each_row_has_four_parts_and_a_kind() -> None:
    wrong = [name for name, row in WAITS.items() if row.count("|") != 3]
    wrong += [name for name, row in WAITS.items() if row.split("|")[0].strip() not in ("none", "one", "any", "verb")]
    assert wrong == []
