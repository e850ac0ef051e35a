"""Creates or updates the project's virtual environment, then runs `up` or `test`; needs only Python."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

PROJECT = Path(__file__).resolve().parent.parent
ENVIRONMENT = PROJECT / ".venv"
CLIENT = Path("deploy") / "clients" / "python"  # a distribution of its own, which the service uses
WORDS_OF_PROGRESS = ("Collecting", "Downloading", "Obtaining", "Building", "Installing", "Successfully installed")
STYLE = (("ruff", "check", "."), ("ruff", "format", "--check", "."))
TYPES = ("mypy",)
TESTS = ("pytest", "-n", str((os.cpu_count() or 1) + 2), "--dist", "worksteal")  # two more: many tests wait
LONG = ("pytest", "-v", *map(str, sorted((PROJECT / "tests" / "long").glob("drill_*.py"))))
CLIENTS = ("pytest", "-s", "-v", "tests/clients/drill_clients.py")  # prints times; takes package indexes
ALL_PAGES = "CABILDO_ALL_PAGES"  # every page in every language, with pictures in .artefacts
WITH_DRILLS = ("-o", "python_files=test_*.py drill_*.py")  # pytest leaves out files named beside their own folder
PAGES = ("pytest", "-n", str(os.cpu_count() or 1), *WITH_DRILLS, str(PROJECT / "tests" / "service" / "pages"))
CLUSTER = ("deploy.cluster_drills",)  # installs what they take, and sums them up
DRILLS = {"--clients": CLIENTS, "--cluster": CLUSTER, "--long": LONG, "--pages": PAGES}
COMPILED = ("deploy.cli", "compile", "--quick", "--test")
BROWSERS = {  # the first takes half the time; some systems have only the other one
    "chromium-headless-shell": ("chromium-headless-shell",),
    "chromium": ("chromium",),
}
NEEDS = (  # alternative programs, the best first, with Debian's packages; the consequence when none is installed
    (
        BROWSERS,
        "the tests of the pages will fail without a browser: install chromium or name one in CABILDO_CHROMIUM",
    ),
    ({"cc": ("gcc", "libc6-dev", "python3-dev")}, "the tests of the compiled rules will fail without a C compiler"),
    ({"npm": ("nodejs", "npm")}, "the JavaScript of the pages and the TypeScript client take Node 20.19, with npm"),
)
SCRIPTS = ("deploy.script_checks",)
KEEP_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}  # tests start hundreds of processes; bytecode saves each a compilation
COMPILERS = ("cc", "gcc")
ASKS_NOTHING = {"DEBIAN_FRONTEND": "noninteractive"}


def main(command: str, arguments: Sequence[str]) -> int:
    """Runs one of the two commands. Returns its exit status."""
    try:
        ensure_environment(extras_of(command))
    except OSError as problem:
        return report_failure(f"the virtual environment cannot be made in {ENVIRONMENT}: {problem}")
    except subprocess.CalledProcessError as problem:
        return report_failure(
            f"{problem.cmd[-1]} could not be installed; is a package index reachable?", problem.output
        )
    os.chdir(PROJECT)
    return test(arguments) if command == "test" else up(arguments)


def extras_of(command: str) -> str:
    """Returns the extras that a command needs; the service compiles its rules where there is a C compiler."""
    if command == "test":
        return "[test]"
    return "[compile]" if any(map(shutil.which, COMPILERS)) else ""


def up(arguments: Sequence[str]) -> int:
    """Replaces this process by the service."""
    python = str(ENVIRONMENT / "bin" / "python")
    os.execv(python, [python, "-m", "deploy.cli", "up", *arguments])


def test(arguments: Sequence[str]) -> int:
    """Checks style and types, runs the tests on all cores, and the tests of the rules on the compiled rules too.

    Stops at what fails first. One argument may ask for longer runs instead: `--cluster` for the tests of a cluster,
    `--clients` for those from nothing to a finished game in three languages, with times, `--long` for small
    measurements of every kind and large tournaments, `--pages` for those of the pages in all languages and with
    pictures of every page in `.artefacts`, in an hour at most. With other arguments, which choose tests, scripts
    and compiled rules are left alone; without, scripts, types and compiled rules are checked beside the tests, which
    often wait, and reported after them.
    """
    install_test_programs()
    if len(arguments) == 1 and (drill := DRILLS.get(arguments[0])):
        os.environ |= {ALL_PAGES: "1"} if drill is PAGES else {}
        return run_checks(drill)
    if arguments:
        return run_checks(*STYLE, TYPES, (*TESTS, *arguments))
    if code := run_checks(*STYLE):
        return code
    with TemporaryFile() as said, ThreadPoolExecutor() as threads:
        beside = threads.submit(run_checks, SCRIPTS, TYPES, COMPILED, said=said)
        code = run_checks(TESTS)
        code = beside.result() or code
        said.seek(0)
        print(said.read().decode(), flush=True)
    return code


def run_checks(*checks: Sequence[str], said: IO[bytes] | None = None) -> int:
    """Runs checks one after the other, with output here or to a file. Returns the first status that is not 0, or 0."""
    for check in checks:
        line = " ".join(("$", *check))
        if said is None:
            print(line, flush=True)
        else:
            said.write(f"{line}\n".encode())
            said.flush()
        command = [str(ENVIRONMENT / "bin" / "python"), "-m", *check]
        code = subprocess.run(command, env=os.environ | KEEP_BYTECODE, stdout=said, stderr=said, check=False).returncode
        if code:
            return code
    return 0


def install_test_programs() -> None:
    """Installs a browser, a C compiler and Node when run as root; otherwise prints which of them is missing."""
    for programs, consequence in NEEDS:
        if programs is BROWSERS and os.environ.get("CABILDO_CHROMIUM"):
            continue
        if os.geteuid() == 0 and shutil.which("apt-get"):
            install_program(programs)
        if not any(map(shutil.which, programs)):
            report_failure(consequence)


def install_program(programs: Mapping[str, Sequence[str]]) -> None:
    """Installs the best of these programs that has a package, unless one is installed."""
    for program, packages in programs.items():
        if shutil.which(program):
            return
        install_packages(packages)
        if shutil.which(program):
            return


def install_packages(packages: Sequence[str]) -> None:
    """Installs packages of Debian; says what apt says."""
    for command in (("apt-get", "update", "-q"), ("apt-get", "install", "-y", "-q", *packages)):
        print("$", *command, flush=True)
        subprocess.run(command, env=os.environ | ASKS_NOTHING, check=False)


def ensure_environment(extras: str) -> None:
    """Installs the project into its environment, unless done for this pyproject.toml, this folder and this Python."""
    with (PROJECT / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two commands started at once wait for one another
        if any(stamp(wanted).exists() for wanted in {extras, "[test]"}):
            return
        print(f"installing into {ENVIRONMENT} (a minute or two, once)", flush=True)
        if not is_usable(ENVIRONMENT / "bin" / "python"):
            make_environment()
        pip_install(f"{PROJECT}{extras}")
        for old in ENVIRONMENT.glob("installed-*"):
            old.unlink()
        stamp(extras).touch()


def stamp(extras: str) -> Path:
    """Returns the marker file of an installation; its name is a hash of everything the installation depends on."""
    declared = b"".join((folder / "pyproject.toml").read_bytes() for folder in (PROJECT, PROJECT / CLIENT))
    depends_on = declared + os.fsencode(PROJECT) + sys.version.encode()
    return ENVIRONMENT / f"installed-{hashlib.sha256(depends_on).hexdigest()[:16]}{extras}"


def is_usable(python: Path) -> bool:
    """Whether the environment's Python exists, runs, and has the version of this one."""
    try:
        done = subprocess.run([python, "-c", "import pip, sys; print(sys.version)"], capture_output=True, text=True)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == sys.version


def make_environment() -> None:
    """Creates an empty virtual environment."""
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)


def pip_install(what: str) -> None:
    """Installs in place with pip, together with the client, and prints its progress. Raises CalledProcessError."""
    python, in_place = str(ENVIRONMENT / "bin" / "python"), ("-e", str(PROJECT / CLIENT), "-e", what)
    command = [python, "-m", "pip", "install", "--disable-pip-version-check", *in_place]
    began, said = time.monotonic(), []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            said.append(line)
            if line.lstrip().startswith(WORDS_OF_PROGRESS):
                show_progress(f"{time.monotonic() - began:4.0f} s  {line.strip()}")
    if pip.returncode:
        raise subprocess.CalledProcessError(pip.returncode, command, "".join(said[-20:]))
    show_progress(f"{time.monotonic() - began:4.0f} s  installed\n")


def show_progress(line: str) -> None:
    """Prints progress: one changing line in a terminal, separate lines elsewhere."""
    width = shutil.get_terminal_size().columns - 1
    start, end = ("\r\x1b[K", "") if sys.stdout.isatty() else ("", "" if line.endswith("\n") else "\n")
    print(start + line[:width] if not line.endswith("\n") else start + line, end=end, flush=True)


def report_failure(sentence: str, details: str = "") -> int:
    """Prints an error to standard error. Returns the exit status 1."""
    print(f"{details}\n{sentence}".strip(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
