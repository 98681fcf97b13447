"""Starts landfall-server with a private database, hangs up or signals, and reports what is left, as JSON.

server-signals.py HOW DATA PROGRAM ARGUMENT…

HOW is terminal (the terminal closes while it serves), early (a shell hangs up its whole job while the database starts), nohup (the terminal closes, under nohup),
detached (SIGHUP without a terminal).
"""
import json
import os
import pty
import signal
import sys
import time

how, data, command = sys.argv[1], sys.argv[2], sys.argv[3:]
log_path = os.path.join(data, "server.out")
postmaster_file = os.path.join(data, "cluster", "postmaster.pid")


def postmaster():
    try:
        with open(postmaster_file) as file:
            number = int(file.readline())
        os.kill(number, 0)
        return True
    except (OSError, ValueError):
        return False


def wait_for(condition):
    deadline = time.monotonic() + 120
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit("waited in vain: " + open(log_path, errors="replace").read())
        time.sleep(0.02)


def listens():
    try:
        return "listens on" in open(log_path, errors="replace").read()
    except OSError:
        return False


def ended():
    return os.waitpid(child, os.WNOHANG)


terminal = None
if how == "detached":
    child = os.fork()
    if child == 0:
        os.setsid()
else:
    child, terminal = pty.fork()
if child == 0:
    # Output goes to a file, so that nothing depends on the terminal but the signal.
    output = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    words = (["nohup"] if how == "nohup" else []) + command
    os.execvp(words[0], words)

wait_for(postmaster if how == "early" else listens)
if how == "detached":
    os.kill(child, signal.SIGHUP)
elif how == "early":
    os.killpg(child, signal.SIGHUP)
    os.close(terminal)
else:
    os.close(terminal)
survived = False
if how in ("nohup", "detached"):
    time.sleep(1)
    survived = ended()[0] == 0 and postmaster()
    os.kill(child, signal.SIGTERM)
_, status = os.waitpid(child, 0)
print(json.dumps({
    "survived": survived, "status": os.waitstatus_to_exitcode(status), "leaves_postmaster": postmaster(),
}))
