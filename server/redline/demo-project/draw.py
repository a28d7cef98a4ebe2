"""The moon as text."""

import math

ROWS = 9


def draw(lit, waxing):
    """A disc of which the share `lit` (0 to 1) shines: the right side while the moon is waxing."""
    rows = []
    for i in range(ROWS):
        y = (i + 0.5) / ROWS * 2 - 1
        half = round(math.sqrt(1 - y * y) * ROWS)
        bright = round(2 * half * lit)
        dark = 2 * half - bright
        disc = "." * dark + "@" * bright if waxing else "@" * bright + "." * dark
        rows.append(disc.center(2 * ROWS).rstrip())
    return "\n".join(rows)
