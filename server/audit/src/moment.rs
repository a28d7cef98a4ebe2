//! Moments: RFC 3339, UTC, to the millisecond.

use std::{
    fmt,
    str::FromStr,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Milliseconds since 1970. What lies before, or after the year 9999, is shown as that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

const SECOND: u64 = 1000;
const DAY: u64 = 86_400 * SECOND;
/// The end of the year 9999.
const LAST: u64 = 253_402_300_799_999;

/// A text that is no moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no moment: write how long ago (30m, 2h, 7d) or when (2026-11-21, 2026-11-21T04:07:09Z)"
)]
pub struct NoMoment(String);

impl Moment {
    /// Now.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::from_millis(u64::try_from(since.as_millis()).unwrap_or(LAST))
    }

    /// So many milliseconds after the beginning of 1970.
    pub fn from_millis(millis: u64) -> Self {
        Moment(millis.min(LAST))
    }

    /// The moment that the user means: `2h` ago (s, m, h, d, w), a day, or a day and a time, in UTC.
    ///
    /// # Errors
    /// Says what can be written.
    pub fn since(text: &str, now: Moment) -> Result<Self, NoMoment> {
        let ago = |unit: char, millis: u64| {
            let digits = text.strip_suffix(unit)?;
            // `parse` takes a sign.
            let count: u64 = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
            Some(Moment(now.0.saturating_sub(count.saturating_mul(millis))))
        };
        let units =
            [('s', SECOND), ('m', 60 * SECOND), ('h', 3600 * SECOND), ('d', DAY), ('w', 7 * DAY)];
        let found = units.into_iter().find_map(|(unit, millis)| ago(unit, millis));
        found.or_else(|| parse(text)).ok_or_else(|| NoMoment(text.to_owned()))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0 / DAY, self.0 % DAY);
        let (year, month, day) = civil(days);
        let (second, milli) = (rest / SECOND, rest % SECOND);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

impl FromStr for Moment {
    type Err = NoMoment;

    fn from_str(text: &str) -> Result<Self, NoMoment> {
        parse(text).ok_or_else(|| NoMoment(text.to_owned()))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// `2026-11-21`, `2026-11-21T04:07`, `…:09`, `….007`, with or without `Z`.
fn parse(text: &str) -> Option<Moment> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let (year, rest) = date.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let days = days(number(year, 9999)?, number(month, 12)?, number(day, 31)?)?;
    let (time, milli) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = time.split(':');
    let mut part = |most| parts.next().map_or(Some(0), |text| number(text, most));
    let (hour, minute, second) = (part(23)?, part(59)?, part(60)?);
    let rest = (hour * 3600 + minute * 60 + second) * SECOND + number(milli, 999)?;
    parts.next().is_none().then_some(Moment::from_millis(days * DAY + rest))
}

fn number(text: &str, most: u64) -> Option<u64> {
    let is_number = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && *number <= most)
}

/// Year, month and day of a number of days since 1970-01-01 (Hinnant's `civil_from_days`: years
/// begin in March, so that the leap day is the last of its year).
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// The other way (`days_from_civil`). `None`: before 1970.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if month == 0 || day == 0 || year < 1970 {
        return None;
    }
    let year = year - u64::from(month <= 2);
    let (era, year_of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    (era * 146_097 + day_of_era).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_utc_and_read_back() {
        for (millis, want) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_234_029_007, "2026-11-21T04:07:09.007Z"),
            (LAST, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Moment(millis).to_string(), want);
            assert_eq!(want.parse(), Ok(Moment(millis)));
        }
        assert_eq!(Moment::from_millis(u64::MAX), Moment(LAST));
    }

    #[test]
    fn what_a_user_may_write() {
        let now: Moment = "2026-11-21T04:07:09.007Z".parse().unwrap();
        for (text, want) in [
            ("2h", "2026-11-21T02:07:09.007Z"),
            ("30m", "2026-11-21T03:37:09.007Z"),
            ("1d", "2026-11-20T04:07:09.007Z"),
            ("1w", "2026-11-14T04:07:09.007Z"),
            ("99999999999999999d", "1970-01-01T00:00:00.000Z"),
            ("2026-11-20", "2026-11-20T00:00:00.000Z"),
            ("2026-11-20 10:30", "2026-11-20T10:30:00.000Z"),
            ("2026-11-20T10:30:01Z", "2026-11-20T10:30:01.000Z"),
        ] {
            assert_eq!(Moment::since(text, now).unwrap().to_string(), want, "{text}");
        }
        for wrong in [
            "",
            "h",
            "-1h",
            "+1h",
            "1.5h",
            "2026-13-01",
            "2026-00-01",
            "yesterday",
            "2026-11-20T1:2:3:4",
            "é",
            "1969-01-01",
        ] {
            assert!(Moment::since(wrong, now).is_err(), "{wrong}");
        }
    }
}
