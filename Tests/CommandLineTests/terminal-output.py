"""Runs commands on a pseudo-terminal and lists the control characters that each sends to it, besides line ends, the colors of
landfall and the line that it shows while it waits for more than a second.

usage: terminal-output.py PROGRAM JSON     with JSON, an array of arrays of arguments
"""
import json, os, pty, re, subprocess, sys

program, commands = sys.argv[1], json.loads(sys.argv[2])
COLORS = re.compile(r"\x1b\[(?:0|1|2|31|32|33|34|36|93)m")
WAITING = re.compile(r"\r(?:[^\r\x1b]*, \d+ s so far)?\x1b\[K")
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def run(arguments):
    terminal, end = pty.openpty()
    child = subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, stdout=end, stderr=end)
    os.close(end)
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # The program has closed it.
            break
        if not piece:
            break
        output += piece
    os.close(terminal)
    child.wait()
    # The terminal turns a line feed into both.
    text = COLORS.sub("", output.decode(errors="replace").replace("\r\n", "\n").replace("\r\n", "\n"))
    text = WAITING.sub("", text)
    if "--csv" in arguments:
        text = text.replace("\r", "")
    return {
        "arguments": arguments, "controls": sorted({hex(ord(c)) for c in CONTROLS.findall(text)}),
        "shows": "\\u001b[2J" in text, "length": len(text), "text": text[:2000]}


print(json.dumps([run(arguments) for arguments in commands]))
