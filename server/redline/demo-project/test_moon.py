import unittest
from datetime import timedelta

from draw import ROWS, draw
from phase import NEW_MOON, lit, name


class MoonTest(unittest.TestCase):
    def test_the_moon_that_we_count_from_is_new(self):
        self.assertEqual(name(NEW_MOON), "new moon")
        self.assertAlmostEqual(lit(NEW_MOON), 0)

    def test_a_week_later_half_of_it_is_lit(self):
        self.assertAlmostEqual(lit(NEW_MOON + timedelta(days=7.4)), 0.5, places=1)

    def test_a_full_moon_has_no_dark_spot(self):
        picture = draw(1, waxing=True)
        self.assertEqual(len(picture.splitlines()), ROWS)
        self.assertNotIn(".", picture)


if __name__ == "__main__":
    unittest.main()
