//! Measured numbers: medians, and ratios of what ran in turns.

use crate::Result;
use std::time::{Duration, Instant};

/// What was measured in each round, in the order of the rounds.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

/// A median and the middle half around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The 25th percentile.
    pub low: f64,
    /// The median.
    pub mid: f64,
    /// The 75th percentile.
    pub high: f64,
}

/// One side of a comparison: does one round and says what it measured.
pub type Side<'a> = Box<dyn FnMut() -> Result<f64> + 'a>;

impl Samples {
    /// Adds a round.
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// Adds what another measured.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Without the first: that of a round that was not to be counted.
    #[must_use]
    pub fn without_first(mut self) -> Self {
        self.0.drain(..1.min(self.0.len()));
        self
    }

    /// The value below which `share` (0 to 1) of the rounds lie; 0 without rounds.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1) as f64;
        sorted.get((last * share).round() as usize).copied().unwrap_or_default()
    }

    /// Median and quartiles.
    pub fn spread(&self) -> Spread {
        Spread { low: self.quantile(0.25), mid: self.quantile(0.5), high: self.quantile(0.75) }
    }

    /// What each round took more than another's same round.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.0.iter().zip(&other.0).map(|(more, less)| more - less).collect()
    }

    /// Median and quartiles of the ratios, round by round, to a peer that ran in turns with this.
    pub fn over(&self, peer: &Self) -> Spread {
        let ratios = self.0.iter().zip(&peer.0).map(|(ours, theirs)| ours / theirs);
        Self(ratios.collect()).spread()
    }
}

impl FromIterator<f64> for Samples {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

/// Runs the sides in turns, once unmeasured to warm up, then `rounds` times.
///
/// # Errors
/// The first that a side gives.
pub fn in_turns<const N: usize>(rounds: usize, mut sides: [Side; N]) -> Result<[Samples; N]> {
    let mut samples = [const { Samples(Vec::new()) }; N];
    for side in &mut sides {
        side()?;
    }
    for _ in 0..rounds {
        for (side, samples) in sides.iter_mut().zip(&mut samples) {
            samples.push(side()?);
        }
    }
    Ok(samples)
}

/// The seconds that something takes, and what it gives.
///
/// # Errors
/// Its own.
pub fn time<T>(work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let start = Instant::now();
    let done = work()?;
    Ok((start.elapsed().as_secs_f64(), done))
}

/// How often something that takes `once` must be done to fill `enough`, within `least` and `most`.
pub fn repeats(once: Duration, enough: Duration, least: usize, most: usize) -> usize {
    let wanted = enough.as_secs_f64() / once.as_secs_f64().max(1e-9);
    (wanted as usize).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        let ours: Samples = [1.0, 20.0, 3.0].into_iter().collect();
        let peer: Samples = [2.0, 40.0, 6.0].into_iter().collect();
        assert_eq!(ours.over(&peer), Spread { low: 0.5, mid: 0.5, high: 0.5 });
        assert_eq!(ours.spread().mid, 3.0);
    }

    #[test]
    fn nothing_measured_is_nothing() {
        assert_eq!(Samples::default().quantile(0.99), 0.0);
    }

    #[test]
    fn sides_run_in_turns_after_a_warm_up() {
        let order = std::cell::RefCell::new(String::new());
        let side = |name: char| -> Side {
            let order = &order;
            Box::new(move || {
                order.borrow_mut().push(name);
                Ok(1.0)
            })
        };
        in_turns(2, [side('a'), side('b')]).unwrap();
        assert_eq!(*order.borrow(), "ababab");
    }

    #[test]
    fn repeats_stay_in_bounds() {
        let ms = Duration::from_millis;
        assert_eq!(repeats(ms(10), ms(100), 1, 50), 10);
        assert_eq!(repeats(ms(1), ms(100), 1, 50), 50);
        assert_eq!(repeats(ms(500), ms(100), 3, 50), 3);
    }
}
