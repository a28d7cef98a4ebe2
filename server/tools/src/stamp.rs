//! Moments as text, in UTC. What lies before 1970 is shown as its start.

use std::time::{SystemTime, UNIX_EPOCH};

/// To the second, as ISO 8601: `2026-11-21T04:07:09Z`.
pub fn iso8601(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// `2026-11-21 04:07`
pub(crate) fn minute(moment: SystemTime) -> String {
    iso8601(moment).replace('T', " ").chars().take(16).collect()
}

/// `2026-11-21`
pub(crate) fn day(moment: SystemTime) -> String {
    iso8601(moment).chars().take(10).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_are_utc() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_234_029, "2026-11-21T04:07:09Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso8601(UNIX_EPOCH + Duration::from_secs(seconds)), want);
        }
        let moment = UNIX_EPOCH + Duration::from_secs(951_782_400);
        assert_eq!((day(moment), minute(moment)), ("2000-02-29".into(), "2000-02-29 00:00".into()));
        assert_eq!(day(UNIX_EPOCH - Duration::from_secs(9)), "1970-01-01");
    }
}
