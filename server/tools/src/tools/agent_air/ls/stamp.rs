//! A point in time, in words.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026-11-21 13:54`, in UTC. What lies before 1970 is shown as its start.
pub(super) fn stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    let minutes = seconds % 86_400 / 60;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// Year, month and day of a number of days since 1970-01-01 (Hinnant's `civil_from_days`: years
/// start in March, so that the day that comes every four years is the last one).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + carry, month, date)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn known_times() {
        for (seconds, want) in [
            (0, "1970-01-01 00:00"),
            (951_868_799, "2000-02-29 23:59"),
            (1_709_251_200, "2024-03-01 00:00"),
            (1_795_269_284, "2026-11-21 13:54"),
        ] {
            assert_eq!(stamp(UNIX_EPOCH + Duration::from_secs(seconds)), want);
        }
        assert_eq!(stamp(UNIX_EPOCH - Duration::from_secs(9)), "1970-01-01 00:00");
    }
}
