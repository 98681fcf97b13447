"""Plays a person at a terminal: starts a program on a pseudo-terminal, waits for its screen, makes the window larger, ends
it in some way, and tells what is left of the terminal.

usage: watch-terminal.py q|ctrl-c|term|hangup PROGRAM ARGUMENT…
"""
import fcntl, json, os, pty, select, signal, struct, subprocess, sys, termios, time

how, command = sys.argv[1], sys.argv[2:]
person, program = pty.openpty()


def resize(rows, columns):
    fcntl.ioctl(person, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize(20, 60)
before = termios.tcgetattr(program)
child = subprocess.Popen(
    command, stdin=program, stdout=program, stderr=program, start_new_session=True,
    preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
screen = b""


def read(until, patience=60):
    """Reads until the screen has said something, or the program has ended."""
    global screen
    end = time.monotonic() + patience
    while time.monotonic() < end and until not in screen:
        ready, _, _ = select.select([person], [], [], 0.2)
        if ready:
            screen += os.read(person, 65536)
        elif child.poll() is not None:
            break
    return until in screen


seen = read(b"Today")
raw = termios.tcgetattr(program)
screen = b""
resize(40, 140)
resized = read(b"shows every rate with its interval")
screen = b""
if how == "q":
    os.write(person, b"q")
elif how == "ctrl-c":
    os.write(person, b"\x03")
elif how == "hangup":
    os.kill(child.pid, signal.SIGHUP)
else:
    os.kill(child.pid, signal.SIGTERM)
left = read(b"\x1b[?1049l")
status = child.wait(60)
print(json.dumps({
    "seen": seen, "resized": resized, "left": left, "status": status, "cursor": b"\x1b[?25h" in screen,
    "was_raw": not raw[3] & (termios.ICANON | termios.ECHO), "same": termios.tcgetattr(program) == before,
    "tail": screen[-300:].decode(errors="replace")}))
