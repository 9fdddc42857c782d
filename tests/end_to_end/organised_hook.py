"""As policy_engine/hook.py, but the organisation's policies come from the folder that the first argument names."""

from __future__ import annotations

import os
import sys

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(root)

from policy_engine.state import places  # noqa: E402 -- the path comes first

places.ORGANISATION_FOLDER = sys.argv[1]

from policy_engine.hook import run  # noqa: E402 -- it looks at the folder when it is imported

os._exit(run(sys.argv[2:]))
