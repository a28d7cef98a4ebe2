"""Draws tonight's moon."""

from datetime import datetime, timezone

from draw import draw
from phase import age, lit, name


def main():
    moment = datetime.now(timezone.utc)
    print(draw(lit(moment), waxing=age(moment) < 14.75))
    print()
    print(f"{name(moment)}, {lit(moment):.0%} lit")


if __name__ == "__main__":
    main()
