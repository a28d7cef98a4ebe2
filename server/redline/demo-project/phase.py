"""The phase of the moon, counted from a new moon that is well known."""

import math
from datetime import datetime, timezone

NEW_MOON = datetime(2000, 1, 6, 18, 14, tzinfo=timezone.utc)
NAMES = [
    "new moon",
    "waxing crescent",
    "first quarter",
    "waxing gibbous",
    "full moon",
    "waning gibbous",
    "last quarter",
    "waning crescent",
]


def age(moment):
    """Days since the last new moon."""
    days = (moment - NEW_MOON).total_seconds() / 86400
    return days % 29.5


def name(moment):
    """What people call the moon at that moment."""
    return NAMES[int(age(moment) / 29.5 * 8)]


def lit(moment):
    """How much of the disc is lit, from 0 to 1."""
    return (1 - math.cos(2 * math.pi * age(moment) / 29.5)) / 2
