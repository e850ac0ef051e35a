"""The system user of the embedded servers (PostgreSQL refuses to run as root), and its access to folders."""

import os
import pwd
import stat
from pathlib import Path
from typing import Any, NamedTuple

from deploy.errors import CannotRun, NotWritable

SERVER_USERS = ("cabildo", "nobody")  # as root, the first of these that exists
READ = stat.S_IRGRP | stat.S_IROTH
PASS = stat.S_IXGRP | stat.S_IXOTH


class SystemUser(NamedTuple):
    """A system user and its group."""

    uid: int
    gid: int

    @property
    def is_current(self) -> bool:
        """Whether this process already is that user."""
        return self.uid == os.geteuid()

    def starts(self) -> dict[str, Any]:
        """Returns the arguments with which `subprocess` starts a program as this user."""
        if self.is_current:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": (), "cwd": "/"}

    def own(self, directory: Path) -> None:
        """Creates a private directory of this user that the user can reach. Raises NotWritable."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)  # never through a symbolic link
            try:
                if not self.is_current:
                    os.fchown(opened, self.uid, self.gid)
                    allow_traversal(directory)
                os.fchmod(opened, 0o700)
            finally:
                os.close(opened)
        except OSError as problem:
            raise NotWritable(directory, str(problem.strerror)) from problem

    def may_execute(self, tree: Path) -> None:
        """Makes the programs of an installed package executable for this user."""
        if not self.is_current:
            allow_traversal(tree)
            for path in (tree, *tree.rglob("*")) if tree.exists() else ():
                mode = stat.S_IMODE(path.stat().st_mode)
                path.chmod(mode | READ | (PASS if mode & stat.S_IXUSR else 0))


def server_identity(directory: Path) -> SystemUser:
    """Returns the user for a server: the current user; as root, the directory's owner or an unprivileged user."""
    if os.geteuid() != 0:
        return SystemUser(os.geteuid(), os.getegid())
    if directory.exists() and (owner := directory.stat()).st_uid != 0:
        return SystemUser(owner.st_uid, owner.st_gid)
    for name in SERVER_USERS:
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return SystemUser(user.pw_uid, user.pw_gid)
    raise CannotRun(f"as root, one of the users {', '.join(SERVER_USERS)} is needed; create it: useradd -r cabildo")


def allow_traversal(path: Path) -> None:
    """Lets every user pass through (not list) the directories above a path."""
    for parent in path.resolve().parents:
        mode = stat.S_IMODE(parent.stat().st_mode)
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)
