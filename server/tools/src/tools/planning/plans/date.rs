//! Days, for people.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment's day in UTC, `2026-11-21`.
pub(super) fn day(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map(|it| it.as_secs()).unwrap_or_default();
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970-01-01 (Hinnant's `civil_from_days`: years
/// begin in March, so that the leap day is a year's last).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days() {
        for (seconds, want) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"),
            (1_795_219_200, "2026-11-21"),
        ] {
            assert_eq!(day(UNIX_EPOCH + Duration::from_secs(seconds)), want, "{seconds}");
        }
    }
}
