"""Tell from the status of a policy file or folder why its rules are not to be believed; find links out of a folder.

Whoever may write a policy decides what the agent may do. So it belongs to the user, to root, or to whoever owns the
folder that the policy was put into (a checkout that is mounted into a container keeps its owner), and not everybody may
write it. A group may: with a umask of 002 every checkout is writable by its user's own group.
"""

from __future__ import annotations

import os
import stat

from policy_engine.state.own_file import ONE_NAME

MOUNTS = "/proc/self/mountinfo"
# file systems that know no modes and show every file as writable by all; on them there is nothing that could be mended
WITHOUT_MODES = frozenset("vfat exfat msdos ntfs ntfs3 fuseblk cifs smb3 vboxsf drvfs fuse.grpcfuse".split())


def owners_for(top: str) -> frozenset[int]:
    """Return who may own what was named as a policy: the user, root, and the owner of the folder that it stands in."""
    try:
        around = os.stat(os.path.dirname(os.path.abspath(top))).st_uid
    except OSError:
        return frozenset((0, os.geteuid()))
    return frozenset((0, os.geteuid(), around))


def distrust(status: os.stat_result, owners: frozenset[int]) -> str:
    """Return why not to believe it; "" if there is no reason."""
    if status.st_nlink > 1 and stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
        return f"it has {status.st_nlink} names (hard links), each of which changes it: {ONE_NAME}"
    shared = status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX
    if status.st_uid in owners and not shared:
        return ""
    if _without_modes(status.st_dev):
        return ""
    if status.st_uid not in owners:
        return f"it belongs to another user, uid {status.st_uid} (`chown` it if its rules are yours)"
    return "everybody may write it (`chmod o-w` it if its rules are yours)"


def leads_out(link: str, top: str) -> bool:
    """Return whether a symbolic link below `top` ends outside it; one that ends nowhere does not."""
    real, root = os.path.realpath(link), os.path.realpath(top)
    return real != root and not real.startswith(root.rstrip("/") + "/")


def _without_modes(device: int) -> bool:
    """Return whether the file system of a device keeps no modes; False if that cannot be known."""
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as mounts:
            for line in mounts:
                before, _, after = line.partition(" - ")
                if before.split(" ", 3)[2] == wanted:
                    kind, _, options = after.split(" ", 2)
                    windows = kind == "9p" and "aname=drvfs" in options and "metadata" not in options
                    return kind in WITHOUT_MODES or windows
    except (OSError, ValueError, IndexError):
        return False
    return False
