"""The data folder of an installation: its files, its lock, and the environment of its processes."""

import fcntl
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from deploy.errors import AlreadyRunning, NotWritable
from deploy.local.keys import key_files
from deploy.local.stores import EmbeddedPostgres, EmbeddedRedis
from service import settings as config
from service.core import logs
from service.key_settings import MASTER_KEY, PREVIOUS_MASTER_KEY, is_given

PROJECT = Path(__file__).resolve().parents[2]
DATA_DIR = PROJECT / ".cabildo"


class DataFolder(NamedTuple):
    """The data folder of an installation."""

    data_dir: Path

    @property
    def postgresql(self) -> EmbeddedPostgres:
        """Its embedded PostgreSQL."""
        return EmbeddedPostgres(self.data_dir / "postgresql")

    @property
    def redis(self) -> EmbeddedRedis:
        """Its embedded Redis."""
        return EmbeddedRedis(self.data_dir / "redis")

    @property
    def record(self) -> Path:
        """The file that lists the running processes."""
        return self.data_dir / "processes.json"

    @property
    def demo_games(self) -> Path:
        """The folder with the token and the secrets of the demo bot."""
        return self.data_dir / "exhibition"

    @property
    def secrets(self) -> Path:
        """The folder with the keys of an embedded installation."""
        return self.data_dir / "secrets"

    def running(self) -> int | None:
        """Returns the process of the service that runs in this folder; None when none runs."""
        try:
            with (self.data_dir / "lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return None
        except BlockingIOError:
            return int((self.data_dir / "lock").read_text())
        return None

    def log(self, name: str) -> Path:
        """The log file of a process."""
        return self.data_dir / "logs" / f"{name.replace(' ', '-')}.log"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Locks the folder for one running service. Raises NotWritable or AlreadyRunning."""
        try:
            (self.data_dir / "logs").mkdir(parents=True, exist_ok=True)
            lock = (self.data_dir / "lock").open("a+")
        except OSError as problem:
            raise NotWritable(self.data_dir, problem.strerror or str(problem)) from problem
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as locked:
                lock.seek(0)
                raise AlreadyRunning(self.data_dir, lock.read().strip() or "?") from locked
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield


def process_environment(folder: DataFolder, environ: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment of the processes: given settings, completed by embedded stores and their secrets."""
    filled = with_stores(folder, environ)
    if not environ.get("DATABASE_URL"):
        files = key_files(folder.secrets)
        of_master_key = dict.fromkeys((PREVIOUS_MASTER_KEY,), MASTER_KEY)  # a given key is replaced by its giver
        own = (name for name in files if not is_given(of_master_key.get(name, name), environ))
        filled.update((f"{name}_FILE", str(files[name])) for name in own)
    return filled


def with_stores(folder: DataFolder, environ: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment with an address for both stores; the embedded store's where none is set."""
    return {
        **environ,
        "CABILDO_DATA_DIR": str(folder.data_dir),
        "DATABASE_URL": environ.get("DATABASE_URL") or folder.postgresql.url(),
        "REDIS_URL": environ.get("REDIS_URL") or folder.redis.url(),
    }


def direct_address(folder: DataFolder, environ: Mapping[str, str]) -> str:
    """Returns the address of the database server itself, for commands that hold locks or listen."""
    return environ.get("CABILDO_DIRECT_DATABASE_URL") or with_stores(folder, environ)["DATABASE_URL"]


def without_secrets(secrets: Collection[str], environ: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment without the named secrets."""
    return {name: value for name, value in environ.items() if name.removesuffix("_FILE") not in secrets}


def settings_of(folder: DataFolder) -> tuple[config.Settings, dict[str, str]]:
    """Returns the validated settings of a process and its environment. Raises BadSettings."""
    environ = process_environment(folder, os.environ)
    settings = config.load(environ)
    logs.configure(settings.log_level, settings.log_format)
    return settings, environ
