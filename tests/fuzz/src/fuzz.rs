//! The runner: batches of inputs, each from a seed of its own, until the cases or the time are over.

use std::{
    cell::Cell,
    env,
    hash::{BuildHasher, RandomState},
    panic,
    sync::Once,
    time::{Duration, Instant},
};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};

/// Inputs in one batch.
const BATCH: u32 = 128;

/// Checks a target with random inputs.
///
/// | variable | meaning |
/// | --- | --- |
/// | `REDLINE_FUZZ_SECONDS` | go on for that long |
/// | `REDLINE_CASES` | else: how many inputs (default: `cases`) |
/// | `REDLINE_SEED` | the seed of the first batch (default: a new one in every run) |
///
/// # Panics
/// If the check fails: with the seed and the smallest input that fails.
pub fn fuzz<S: Strategy>(
    target: &str,
    cases: u32,
    strategy: S,
    check: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let start = Instant::now();
    let (budget, mut seed) = (Budget::from_env(cases), first_seed());
    let mut done = 0;
    while budget.goes_on(done, start.elapsed()) {
        let cases = budget.batch(done);
        let run = quietly(|| runner(seed, cases).run(&strategy, &check));
        if let Err(error) = run {
            panic!("{}", report(target, seed, &error));
        }
        done += u64::from(cases);
        seed = seed.wrapping_add(1);
    }
    println!("{target}: {done} inputs in {:.1} s", start.elapsed().as_secs_f64());
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Without the thousand messages of a panic that is made smaller and smaller.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    let result = run();
    QUIET.set(false);
    result
}

fn report<V: std::fmt::Debug>(target: &str, seed: u64, error: &TestError<V>) -> String {
    let again = format!("REDLINE_SEED={seed} cargo test -p redline-fuzz --test {target}");
    match error {
        TestError::Fail(why, input) => {
            format!("{target}: {why}\nsmallest input: {input:#?}\nagain: {again}")
        }
        TestError::Abort(why) => format!("{target}: given up: {why}\nagain: {again}"),
    }
}

fn runner(seed: u64, cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 100_000,
        max_global_rejects: 1 << 20,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn first_seed() -> u64 {
    // Small enough to be typed.
    variable("REDLINE_SEED").unwrap_or_else(|| RandomState::new().hash_one(0) >> 24)
}

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    env::var(name).ok()?.parse().ok()
}

enum Budget {
    Time(Duration),
    Cases(u64),
}

impl Budget {
    fn from_env(cases: u32) -> Self {
        match variable("REDLINE_FUZZ_SECONDS") {
            Some(seconds) => Self::Time(Duration::from_secs(seconds)),
            None => Self::Cases(variable("REDLINE_CASES").unwrap_or(u64::from(cases))),
        }
    }

    fn goes_on(&self, done: u64, spent: Duration) -> bool {
        match self {
            Self::Time(time) => spent < *time,
            Self::Cases(cases) => done < *cases,
        }
    }

    fn batch(&self, done: u64) -> u32 {
        match self {
            Self::Time(_) => BATCH,
            Self::Cases(cases) => (cases - done).min(u64::from(BATCH)) as u32,
        }
    }
}
