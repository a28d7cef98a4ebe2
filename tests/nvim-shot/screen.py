"""A terminal's screen (text with SGR sequences) as cells, and the cells as a PNG."""
import re
import sys
import unicodedata

from PIL import Image, ImageDraw, ImageFont

BASE16 = ["000000", "cd3131", "0dbc79", "e5e510", "2472c8", "bc3fbc", "11a8cd", "e5e5e5",
          "666666", "f14c4c", "23d18b", "f5f543", "3b8eea", "d670d6", "29b8db", "ffffff"]


def xterm(n):
    if n < 16:
        h = BASE16[n]
        return tuple(int(h[i:i + 2], 16) for i in (0, 2, 4))
    if n < 232:
        n -= 16
        step = lambda v: 0 if v == 0 else 55 + 40 * v
        return step(n // 36), step(n // 6 % 6), step(n % 6)
    return (8 + 10 * (n - 232),) * 3


class Style:
    __slots__ = ("fg", "bg", "sp", "bold", "dim", "italic", "ul", "rev", "strike")

    def __init__(self):
        self.reset()

    def reset(self):
        self.fg = self.bg = self.sp = None
        self.bold = self.dim = self.italic = self.rev = self.strike = False
        self.ul = 0

    def copy(self):
        s = Style()
        for k in self.__slots__:
            setattr(s, k, getattr(self, k))
        return s

    def sgr(self, body):
        if ":" in body:  # 4:3 curly, 58:2::r:g:b
            parts = [p.split(":") for p in body.split(";")]
        else:
            parts = [[p] for p in body.split(";")]
        flat, i = parts, 0
        while i < len(flat):
            p = flat[i]
            n = int(p[0] or 0)
            if n == 0: self.reset()
            elif n == 1: self.bold = True
            elif n == 2: self.dim = True
            elif n == 3: self.italic = True
            elif n == 4: self.ul = int(p[1] or 1) if len(p) > 1 else 1
            elif n == 7: self.rev = True
            elif n == 9: self.strike = True
            elif n == 22: self.bold = self.dim = False
            elif n == 23: self.italic = False
            elif n == 24: self.ul = 0
            elif n == 27: self.rev = False
            elif n == 29: self.strike = False
            elif 30 <= n <= 37: self.fg = xterm(n - 30)
            elif 40 <= n <= 47: self.bg = xterm(n - 40)
            elif 90 <= n <= 97: self.fg = xterm(n - 82)
            elif 100 <= n <= 107: self.bg = xterm(n - 92)
            elif n == 39: self.fg = None
            elif n == 49: self.bg = None
            elif n == 59: self.sp = None
            elif n in (38, 48, 58):
                if len(p) > 1:
                    v = [int(x) for x in p[1:] if x]
                    colour = xterm(v[1]) if v[0] == 5 else tuple(v[-3:])
                elif i + 2 < len(flat) and flat[i + 1][0] == "5":
                    colour = xterm(int(flat[i + 2][0])); i += 2
                else:
                    colour = tuple(int(flat[i + k][0]) for k in (2, 3, 4)); i += 4
                setattr(self, {38: "fg", 48: "bg", 58: "sp"}[n], colour)
            i += 1


def width(ch):
    if unicodedata.combining(ch) or ch in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(ch) in "WF" else 1


def cells(ansi, cols, rows):
    """[[(text, Style)]] from `tmux capture-pane -e`, which has SGR sequences and no cursor moves."""
    grid, style = [], Style()
    for line in ansi.split("\n")[:rows]:
        row, pos = [], 0
        for m in re.finditer(r"\x1b\[([0-9;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()].|[\x0e\x0f]|(.)", line):
            if m.group(1) is not None:
                style.sgr(m.group(1))
            elif m.group(2):
                w = width(m.group(2))
                if w == 0 and row:
                    row[-1] = (row[-1][0] + m.group(2), row[-1][1])
                else:
                    row.append((m.group(2), style.copy()))
                    if w == 2:
                        row.append(("", style.copy()))
        while len(row) < cols:
            row.append((" ", Style()))
        grid.append(row[:cols])
    while len(grid) < rows:
        grid.append([(" ", Style())] * cols)
    return grid


def font(bold, size, want=None):
    names = [want] if want else []
    names += ["DejaVuSansMono-Bold.ttf" if bold else "DejaVuSansMono.ttf"]
    for n in names:
        for d in ("", "/usr/share/fonts/truetype/dejavu/"):
            try:
                return ImageFont.truetype(d + n, size)
            except OSError:
                pass
    sys.exit("nvim-shot: no DejaVu Sans Mono (apt-get install fonts-dejavu-core)")


def draw(grid, cursor, path, size=15, fg0=(224, 226, 234), bg0=(20, 22, 27)):
    reg, bold = font(False, size), font(True, size)
    cw = round(reg.getlength("M")); asc, desc = reg.getmetrics(); ch = asc + desc
    img = Image.new("RGB", (cw * len(grid[0]) + 8, ch * len(grid) + 8), bg0)
    d = ImageDraw.Draw(img)
    for y, row in enumerate(grid):
        for x, (t, s) in enumerate(row):
            fg, bg = s.fg or fg0, s.bg or bg0
            if s.rev != (cursor == (x, y)):
                fg, bg = bg, fg
            if s.dim:
                fg = tuple((a + b) // 2 for a, b in zip(fg, bg))
            px, py = 4 + x * cw, 4 + y * ch
            if t == "":
                continue
            w = cw * (2 if x + 1 < len(row) and row[x + 1][0] == "" else 1)
            d.rectangle((px, py, px + w - 1, py + ch - 1), fill=bg)
            if t.strip():
                d.text((px, py), t, font=bold if s.bold else reg, fill=fg)
            if s.ul:
                colour, yy = s.sp or fg, py + ch - 2
                if s.ul == 3:
                    d.line([(px + k, yy - (k // 2 % 2)) for k in range(w)], fill=colour)
                else:
                    d.line((px, yy, px + w, yy), fill=colour)
            if s.strike:
                d.line((px, py + ch // 2, px + w, py + ch // 2), fill=fg)
    img.save(path)
