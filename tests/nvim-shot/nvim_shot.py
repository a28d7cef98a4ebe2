#!/usr/bin/env python3
"""Run Neovim in a private tmux, type keys, and draw the screen as a PNG.

    nvim_shot.py -o out.png --size 100x30 --keys 'ggdd<wait:pattern><shot:mid.png>u' -- FILE [nvim args]

Keys are plain text plus <Esc> <CR> <Tab> <BS> <Space> <Up> <Down> <Left> <Right>
<PageUp> <PageDown> <Home> <End> <Del> <F1>..<F12> <C-x> <M-x> <lt>, and the directives
    <sleep:SECONDS>   pause
    <wait:REGEX>      until the screen's text matches (10 s at most; then exit 1)
    <gone:REGEX>      until it no longer matches
    <shot:FILE>       a PNG of the screen at this point (FILE.txt with --text)
The last screen goes to --output. Needs tmux, Pillow, and a monospace TTF (DejaVu Sans Mono).
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import screen

NAMED = {"esc": "Escape", "cr": "Enter", "tab": "Tab", "bs": "BSpace", "space": "Space", "up": "Up",
         "down": "Down", "left": "Left", "right": "Right", "pageup": "PPage", "pagedown": "NPage",
         "home": "Home", "end": "End", "del": "DC", "s-tab": "BTab"}


class Tmux:
    def __init__(self, cols, rows, argv, env, cwd):
        self.cols, self.rows = cols, rows
        self.look = {}
        self.dir = tempfile.TemporaryDirectory(prefix="nvim-shot-")
        self.sock = os.path.join(self.dir.name, "s")
        conf = os.path.join(self.dir.name, "c")
        Path(conf).write_text("set -g default-terminal tmux-256color\nset -g escape-time 0\nset -g status off\n"
                              "set -ga terminal-features ',*:RGB:usstyle:strikethrough'\nset -g remain-on-exit on\nset -g focus-events on\n")
        e = dict(os.environ, COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8", **env)
        e.pop("TMUX", None)
        subprocess.run(["tmux", "-S", self.sock, "-f", conf, "new-session", "-d", "-x", str(cols), "-y", str(rows),
                        "exec " + shlex.join(argv)], env=e, cwd=cwd, check=True)

    def __call__(self, *a):
        return subprocess.run(["tmux", "-S", self.sock, *a], capture_output=True, text=True).stdout

    def text(self):
        return self("capture-pane", "-p")

    def send(self, key, literal=False):
        # -H-free: literal text one call, names another
        self("send-keys", *(["-l", "--"] if literal else ["--"]), key)

    def shot(self, path, text):
        self.settle()
        ansi = self("capture-pane", "-p", "-e", "-N")
        x, y, vis = self("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        cursor = (int(x), int(y)) if vis == "1" else None
        screen.draw(screen.cells(ansi, self.cols, self.rows), cursor, path, **self.look)
        if text:
            Path(str(path) + ".txt").write_text(self.text())
        print(path)

    def settle(self, quiet=0.08, limit=3):
        """Until two looks QUIET apart are the same."""
        end, last = time.time() + limit, None
        while time.time() < end:
            now = self("capture-pane", "-p", "-e")
            if now == last:
                return
            last = now
            time.sleep(quiet)

    def until(self, rx, present=True, limit=10):
        end = time.time() + limit
        while time.time() < end:
            if bool(re.search(rx, self.text(), re.M)) == present:
                return
            time.sleep(0.03)
        sys.stdout.write(self.text())
        sys.exit(f"nvim-shot: {'no' if present else 'still'} /{rx}/ on the screen after {limit} s")

    def close(self):
        self("kill-server")
        self.dir.cleanup()


def play(t, keys, text):
    for m in re.finditer(r"<(sleep|wait|gone|shot):([^>]*)>|<(lt)>|<([A-Za-z0-9-]+)>|([^<]+)|(<)", keys):
        op, arg, lt, name, lit, angle = m.groups()
        if op == "sleep": time.sleep(float(arg))
        elif op == "wait": t.until(arg)
        elif op == "gone": t.until(arg, False)
        elif op == "shot": t.shot(arg, text)
        elif lt or angle: t.send("<", True)
        elif lit: t.send(lit, True)
        else:
            low = name.lower()
            if low in NAMED: t.send(NAMED[low])
            elif re.fullmatch(r"f\d\d?", low): t.send(name.upper())
            elif re.fullmatch(r"[cm]-.+", low): t.send(name[0].upper() + "-" + NAMED.get(low[2:], name[2:]))
            else: sys.exit(f"nvim-shot: unknown key <{name}>")
            time.sleep(0.02)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("-o", "--output", default="shot.png")
    ap.add_argument("--size", default="100x30")
    ap.add_argument("--keys", default="")
    ap.add_argument("--text", action="store_true", help="also write the screen's text beside each PNG")
    ap.add_argument("--nvim", default=os.environ.get("NVIM_BIN", "nvim"))
    ap.add_argument("--cwd", default=None)
    ap.add_argument("--env", action="append", default=[], metavar="K=V")
    ap.add_argument("--font-size", type=int, default=15, metavar="PIXELS")
    ap.add_argument("--light", action="store_true", help="the terminal's own colours are light")
    ap.add_argument("--dark", action="store_true", help="the terminal's own colours are dark (default)")
    ap.add_argument("--clean", action="store_true", help="start with --clean -i NONE -n")
    ap.add_argument("args", nargs="*", help="nvim's arguments, after --")
    a = ap.parse_args()
    cols, rows = map(int, a.size.split("x"))
    argv = [a.nvim] + (["--clean", "-i", "NONE", "-n"] if a.clean else []) + a.args
    t = Tmux(cols, rows, argv, dict(e.split("=", 1) for e in a.env), a.cwd)
    t.look["size"] = a.font_size
    if a.light:
        t.look.update(fg0=(20, 22, 27), bg0=(224, 226, 234))
    try:
        t.until(r"\S")
        t.settle()
        play(t, a.keys, a.text)
        t.shot(a.output, a.text)
    finally:
        t.close()


if __name__ == "__main__":
    main()
