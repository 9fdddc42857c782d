"""Make all pictures anew, or those that the arguments name: `session`, `serve`, a coding agent."""

from __future__ import annotations

import sys

from tools.pictures import hosts, served, session

wanted = sys.argv[1:]
for name, maker in (("session", session.make), ("serve", served.make)):
    if not wanted or name in wanted:
        print(*maker(), sep="\n")
if named := [name for name in wanted if name not in ("session", "serve")] or not wanted:
    print(*hosts.make(named if wanted else []), sep="\n")
