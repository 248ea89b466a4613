# SPDX-License-Identifier: GPL-2.0-only
"""The account of a server: databases refuse to run as root."""
import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from ..errors import refuse


@dataclass(frozen=True)
class Account:
    """A user that a child becomes."""
    name: str
    uid: int
    gid: int

    def give(self, path: Path) -> None:
        """Make a file or directory of ours the account's."""
        os.chown(path, self.uid, self.gid, follow_symlinks=False)


def choose(asked: Optional[str], usual: str, server: str
           ) -> Optional[Account]:
    """Whom the server runs as; None for the caller, who is not root."""
    if os.geteuid() != 0:
        if asked:
            raise refuse("--user is for root, who alone can become another "
                         "user")
        return None
    name = asked or usual
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        raise refuse(f"{server} does not run as root, and there is no user "
                     f"{name}; name another one: --user NAME") from None
    if found.pw_uid == 0:
        raise refuse(f"{server} does not run as root; name another --user")
    return Account(name, found.pw_uid, found.pw_gid)
