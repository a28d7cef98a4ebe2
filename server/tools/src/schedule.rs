//! Which calls of a batch may run at once: a pure function of their footprints.

use std::path::Path;

use crate::Access;

/// What one call touches, as far as conflicts go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Footprint {
    /// No profile: conflicts with all (rule 1).
    Unknown,
    /// Serial: conflicts with all (rule 2).
    Serial,
    /// Names and how they are touched: conflicts over one name where anybody writes (rules 3, 4).
    /// What is named `file:PATH` is also touched with any folder above it.
    Keys(Vec<(String, Access)>),
}

impl Footprint {
    /// Whether the two must not run at once. Symmetric.
    pub fn conflicts(&self, other: &Footprint) -> bool {
        let (Footprint::Keys(ours), Footprint::Keys(theirs)) = (self, other) else { return true };
        ours.iter().any(|(name, mode)| {
            let clash = |(other, how): &(String, Access)| {
                overlap(name, other) && (*mode == Access::Write || *how == Access::Write)
            };
            theirs.iter().any(clash)
        })
    }
}

/// The same name, or a file and a folder that it is in: a search of the folder reads the file.
fn overlap(one: &str, other: &str) -> bool {
    if !(one.starts_with("file:") && other.starts_with("file:")) {
        return one == other;
    }
    let (one, other) = (Path::new(one), Path::new(other));
    one.starts_with(other) || other.starts_with(one)
}

/// Indices of calls in batches to be run one after the other; the calls of one batch may run at
/// once. The order is kept: a call that conflicts with the batch starts the next one (seed 001,
/// "Batching Algorithm").
pub fn batches(calls: &[Footprint]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        match out.last_mut() {
            Some(batch) if !batch.iter().any(|&other| call.conflicts(&calls[other])) => {
                batch.push(index);
            }
            _ => out.push(vec![index]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(name: &str) -> Footprint {
        Footprint::Keys(vec![(name.to_owned(), Access::Read)])
    }

    fn write(name: &str) -> Footprint {
        Footprint::Keys(vec![(name.to_owned(), Access::Write)])
    }

    fn check(calls: &[Footprint], want: &[&[usize]]) {
        assert_eq!(batches(calls), want);
    }

    #[test]
    fn the_example_of_seed_001() {
        // "Read C could be in batch 2": its algorithm puts it there, its comment does not.
        check(&[read("A"), read("B"), write("A"), read("C")], &[&[0, 1], &[2, 3]]);
    }

    #[test]
    fn a_folder_is_touched_with_what_is_in_it() {
        check(&[read("file:/w"), write("file:/w/a/b")], &[&[0], &[1]]);
        check(&[write("file:/w/a/b"), read("file:/w/a")], &[&[0], &[1]]);
        check(&[write("file:/w/ab"), read("file:/w/a"), read("file:/w")], &[&[0, 1], &[2]]);
        check(&[write("file:/w/a"), read("file:/")], &[&[0], &[1]]);
        check(&[write("named:w/a"), read("named:w")], &[&[0, 1]]);
    }

    #[test]
    fn the_four_rules() {
        check(&[], &[]);
        check(&[Footprint::Unknown, read("A")], &[&[0], &[1]]); // 1
        check(&[read("A"), Footprint::Unknown], &[&[0], &[1]]); // 1
        check(&[Footprint::Serial, Footprint::Serial, read("A")], &[&[0], &[1], &[2]]); // 2
        check(&[write("A"), write("A")], &[&[0], &[1]]); // 3
        check(&[write("A"), read("A"), read("B")], &[&[0], &[1, 2]]); // 3
        check(&[read("A"), read("A"), write("B")], &[&[0, 1, 2]]); // 4
        check(&[Footprint::Keys(vec![]), write("A")], &[&[0, 1]]);
    }

    fn footprint() -> impl Strategy<Value = Footprint> {
        let mode = prop_oneof![Just(Access::Read), Just(Access::Write)];
        let keys = proptest::collection::vec(("[a-d]", mode), 0..3);
        prop_oneof![
            1 => Just(Footprint::Unknown),
            1 => Just(Footprint::Serial),
            8 => keys.prop_map(Footprint::Keys),
        ]
    }

    /// The four rules, word by word.
    fn naive_conflict(a: &Footprint, b: &Footprint) -> bool {
        match (a, b) {
            (Footprint::Unknown | Footprint::Serial, _)
            | (_, Footprint::Unknown | Footprint::Serial) => true,
            (Footprint::Keys(a), Footprint::Keys(b)) => {
                let mut clash = false;
                for x in a {
                    for y in b {
                        let reads = x.1 == Access::Read && y.1 == Access::Read;
                        clash |= x.0 == y.0 && !reads;
                    }
                }
                clash
            }
        }
    }

    /// `batch_tools_by_conflict` of seed 001, line by line.
    fn naive_batches(calls: &[Footprint]) -> Vec<Vec<usize>> {
        let (mut batches, mut current) = (vec![], Vec::<usize>::new());
        for i in 0..calls.len() {
            if current.iter().any(|&j| naive_conflict(&calls[i], &calls[j])) && !current.is_empty()
            {
                batches.push(std::mem::take(&mut current));
            }
            current.push(i);
        }
        if !current.is_empty() {
            batches.push(current);
        }
        batches
    }

    proptest! {
        #[test]
        fn the_schedule_is_that_of_the_naive_model(
            calls in proptest::collection::vec(footprint(), 0..12),
        ) {
            prop_assert_eq!(batches(&calls), naive_batches(&calls));
        }

        #[test]
        fn every_call_runs_once_in_order_and_beside_no_conflict(
            calls in proptest::collection::vec(footprint(), 0..12),
        ) {
            let got = batches(&calls);
            let flat: Vec<usize> = got.iter().flatten().copied().collect();
            prop_assert_eq!(flat, (0..calls.len()).collect::<Vec<_>>());
            for batch in &got {
                for (n, &a) in batch.iter().enumerate() {
                    for &b in &batch[n + 1..] {
                        prop_assert!(!calls[a].conflicts(&calls[b]));
                        prop_assert!(!calls[b].conflicts(&calls[a]));
                    }
                }
            }
        }
    }
}
