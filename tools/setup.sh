#!/usr/bin/env bash
# Set up everything that `make run` and `make test` need; done in a moment when nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rendering="libgl1 libegl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon0"
windows="libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0"
virtual_display="xvfb xauth"
helpful="libxcursor1 libgomp1 libosmesa6"
browser="chromium" # one test draws a page in a real one

say() { printf '%s\n' "$*"; }

find_python() {
    local candidate candidates=(python3 python3.13 python3.12 python3.11)
    if [ -n "${PYTHON:-}" ]; then candidates=("$PYTHON"); fi
    for candidate in "${candidates[@]}"; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    local found="none was found"
    if [ -n "${PYTHON:-}" ]; then found="'$PYTHON' is none"; fi
    say "Manikin needs Python 3.11, 3.12 or 3.13, and $found. Install it, or name it: make run PYTHON=/path/to/python" >&2
    exit 1
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
    [ "$#" -gt 0 ] || return 0
    local sudo=""
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
            sudo="sudo"
        else
            say "These system packages are missing. Type this line, then try again:" >&2
            say "  sudo apt-get install --no-install-recommends $*" >&2
            exit 1
        fi
    fi
    say "Installing system packages: $*"
    export DEBIAN_FRONTEND=noninteractive
    local log
    log=$(mktemp)
    if ! { $sudo apt-get update -q && $sudo apt-get install -y -q --no-install-recommends "$@"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        say "The system packages could not be installed. Type this line, then try again:" >&2
        say "  apt-get update && apt-get install --no-install-recommends $*" >&2
        exit 1
    fi
    rm -f "$log"
}

system_libraries() {
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
        if [ "$(uname)" = Linux ]; then
            say "Not a Debian-like system: see docs/install.md for the system libraries that Qt and VTK need."
        fi
        return 0
    fi
    local missing=() package
    for package in $rendering $windows $virtual_display; do
        # Newer systems carry libglib2.0-0t64 under a name of its own.
        installed "$package" || installed "${package}t64" || missing+=("$package")
    done
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        missing+=("$("$python" -c 'import sys; print(f"python3.{sys.version_info[1]}-venv")')")
    fi
    install_packages "${missing[@]+"${missing[@]}"}"
    missing=()
    for package in $helpful; do
        # newer systems offer some of these no more
        installed "$package" || ! apt-cache show "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    install_packages "${missing[@]+"${missing[@]}"}"
}

version() { "$1" -c 'import sys; print(sys.version_info[:2])' 2>/dev/null || true; }

fill() { .venv/bin/python -m pip install --disable-pip-version-check --retries 5 --timeout 60 "$@" -e ".[dev]"; }

environment() {
    local stamp=".venv/manikin-stamp" wanted
    wanted=$(cat pyproject.toml constraints.txt tools/setup.sh | "$python" -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())')
    # The folder stands in the stamp: a moved or copied environment is made anew.
    wanted="$wanted ${NEWEST:-} $PWD"
    # another Python that is named makes another environment
    if [ -n "${PYTHON:-}" ] && [ "$(version .venv/bin/python)" != "$(version "$python")" ]; then
        rm -rf .venv
    fi
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && .venv/bin/python -c '' 2>/dev/null; then
        return 0
    fi
    say "Setting up the Python environment in .venv (a few minutes the first time) ..."
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1 || ! grep -qsF " $PWD" "$stamp"; then
        rm -rf .venv
        "$python" -m venv .venv
    fi
    rm -f "$stamp"
    local log
    log=$(mktemp)
    local how=(-c constraints.txt)
    # the newest of all, where that is asked for
    if [ "${NEWEST:-}" = yes ]; then how=(--upgrade); fi
    if ! fill "${how[@]}" >"$log" 2>&1; then
        say "These versions cannot be had here ($(tail -n 1 "$log")); whatever fits is taken in their place."
        if ! fill >"$log" 2>&1; then
            tail -n 20 "$log" >&2
            rm -f "$log"
            say "The Python packages could not be installed; the lines above say why." >&2
            exit 1
        fi
    fi
    rm -f "$log"
    printf '%s\n' "$wanted" >"$stamp"
}

# Install a browser where that asks nobody and takes root's rights that are there; else say what is skipped for want of it.
test_browser() {
    local name
    for name in chromium chromium-browser google-chrome; do
        if command -v "$name" >/dev/null 2>&1; then return 0; fi
    done
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] && (install_packages $browser); then return 0; fi
    say "No browser: the test that draws a page in a real one is skipped. To run it: sudo apt-get install --no-install-recommends $browser"
}

python=$(find_python)
system_libraries
if [ "${1:-}" = tests ]; then test_browser; fi
environment
# read once, so that no start has to do it; a moment where nothing has changed
.venv/bin/python -m compileall -q app manikin solver main.py || true
# the solver is compiled for this machine while nobody waits for it
{
    .venv/bin/python -c 'import sys; from solver.engine.jit.compiled import are_all_compiled; sys.exit(are_all_compiled())' \
        && nohup .venv/bin/python -m solver.running.warm --kindly
} </dev/null >/dev/null 2>&1 &
