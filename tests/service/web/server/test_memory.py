"""The memory of a process with many threads: few arenas, whatever the number of threads."""

import os
import subprocess
import sys
from typing import Final

import pytest

from service.web.server.memory import ARENAS
from tests.support.running_program import PATIENCE, PROJECT

THREADS: Final = """
import ctypes, threading
from service.web.server.memory import limit_arenas
limit_arenas()
libc, ready, end = ctypes.CDLL(None), threading.Barrier(101), threading.Event()
def work():
    kept = [bytearray(5_000) for _ in range(100)]
    ready.wait()
    end.wait()
    del kept
for _ in range(100):
    threading.Thread(target=work).start()
ready.wait()
libc.fdopen.restype, libc.fdopen.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_char_p)
libc.malloc_info.argtypes, libc.fflush.argtypes = (ctypes.c_int, ctypes.c_void_p), (ctypes.c_void_p,)
output = libc.fdopen(1, b"w")
libc.malloc_info(0, output)
libc.fflush(output)
end.set()
"""


@pytest.mark.parametrize(("chosen", "most"), [({}, ARENAS), ({"MALLOC_ARENA_MAX": "5"}, 5)])
def test_a_hundred_threads_share_few_arenas(chosen: dict[str, str], most: int) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"} | chosen
    ran = subprocess.run(
        [sys.executable, "-c", THREADS], cwd=PROJECT, env=environ, capture_output=True, check=True, timeout=PATIENCE
    )
    assert ran.stdout.count(b"<heap nr=") == most
