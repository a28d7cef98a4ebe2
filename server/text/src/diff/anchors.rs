//! Line diffs of huge inputs: lines that both sides have exactly once cut them into parts that are
//! small enough to compare, and a part that is not is one change.

use std::{collections::HashMap, ops::Range};

use similar::{Algorithm, DiffOp, capture_diff};

/// Lines of both sides up to which a diff is worth its time: the worst case takes about a second.
const MOST_LINES: usize = 200_000;
/// The same for a part of a larger diff.
const MOST_IN_PART: usize = 50_000;

/// The ops of a line diff, with neighbours of a kind merged. A function of its inputs: no clock
/// decides how good it gets.
pub(super) fn line_ops(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let middle = (head..old.len() - tail, head..new.len() - tail);
    if middle.0.len() + middle.1.len() <= MOST_LINES {
        return capture_diff(Algorithm::Myers, old, 0..old.len(), new, 0..new.len());
    }
    let mut ops = Ops::default();
    ops.equal(0, 0, head);
    let mut at = (head, head);
    for (a, b) in anchors(old, new, &middle) {
        ops.part(old, new, at.0..a, at.1..b);
        ops.equal(a, b, 1);
        at = (a + 1, b + 1);
    }
    ops.part(old, new, at.0..middle.0.end, at.1..middle.1.end);
    ops.equal(middle.0.end, middle.1.end, tail);
    ops.0
}

#[derive(Default)]
struct Ops(Vec<DiffOp>);

impl Ops {
    fn equal(&mut self, old_index: usize, new_index: usize, more: usize) {
        match self.0.last_mut() {
            Some(DiffOp::Equal { len, .. }) => *len += more,
            _ if more > 0 => self.0.push(DiffOp::Equal { old_index, new_index, len: more }),
            _ => {}
        }
    }

    fn part(&mut self, old: &[&str], new: &[&str], a: Range<usize>, b: Range<usize>) {
        if a.len() + b.len() > MOST_IN_PART {
            self.0.push(whole(a, b));
            return;
        }
        for op in capture_diff(Algorithm::Myers, old, a, new, b) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    self.equal(old_index, new_index, len);
                }
                op => self.0.push(op),
            }
        }
    }
}

/// All of the old lines for all of the new ones.
pub(super) fn whole(old: Range<usize>, new: Range<usize>) -> DiffOp {
    let (old_index, old_len) = (old.start, old.len());
    let (new_index, new_len) = (new.start, new.len());
    match (old_len, new_len) {
        (0, _) => DiffOp::Insert { old_index, new_index, new_len },
        (_, 0) => DiffOp::Delete { old_index, old_len, new_index },
        _ => DiffOp::Replace { old_index, old_len, new_index, new_len },
    }
}

/// Pairs of equal lines, each the only one of its kind on its side: the longest list in which both
/// sides ascend.
fn anchors(
    old: &[&str],
    new: &[&str],
    middle: &(Range<usize>, Range<usize>),
) -> Vec<(usize, usize)> {
    let (olds, news) = (unique(old, &middle.0), unique(new, &middle.1));
    let pair = |(line, &a): (&&str, &usize)| Some((a, *news.get(line)?));
    let mut pairs: Vec<(usize, usize)> = olds.iter().filter_map(pair).collect();
    pairs.sort_unstable();
    ascending(&pairs)
}

fn unique<'a>(lines: &[&'a str], range: &Range<usize>) -> HashMap<&'a str, usize> {
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for i in range.clone() {
        places.entry(lines[i]).and_modify(|place| *place = None).or_insert(Some(i));
    }
    places.into_iter().filter_map(|(line, place)| Some((line, place?))).collect()
}

/// The longest part of `pairs`, which ascend in the first number, that ascends in the second too.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that ends such a list with the smallest second number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (i, &(_, b)) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| pairs[end].1 < b);
        before.push(len.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(len) {
            Some(end) => *end = i,
            None => ends.push(i),
        }
    }
    let steps = std::iter::successors(ends.last().copied(), |&i| before[i]);
    let mut list: Vec<(usize, usize)> = steps.map(|i| pairs[i]).collect();
    list.reverse();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: Range<usize>) -> Vec<String> {
        range.map(|i| format!("{i}\n")).collect()
    }

    fn check(old: &[String], new: &[String], want: &[DiffOp]) {
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        assert_eq!(line_ops(&old, &new), want);
    }

    #[test]
    fn far_apart_changes_of_a_huge_text_stay_apart() {
        let old = numbers(0..150_000);
        let mut new = old.clone();
        new[5] = "x\n".into();
        new[149_990] = "y\n".into();
        let equal = |at, len| DiffOp::Equal { old_index: at, new_index: at, len };
        let want = [
            equal(0, 5),
            whole(5..6, 5..6),
            equal(6, 149_984),
            whole(149_990..149_991, 149_990..149_991),
            equal(149_991, 9),
        ];
        check(&old, &new, &want);
    }

    #[test]
    fn huge_texts_that_cannot_be_cut_are_one_change() {
        let old: Vec<String> = (0..150_000).map(|i| format!("{}\n", i % 7)).collect();
        let new: Vec<String> = (0..150_000).map(|i| format!("{}\n", i % 5)).collect();
        let equal = DiffOp::Equal { old_index: 0, new_index: 0, len: 5 };
        check(&old, &new, &[equal, whole(5..150_000, 5..150_000)]);
    }

    #[test]
    fn the_longest_ascending_list() {
        let pairs = [(0, 5), (1, 1), (2, 2), (3, 9), (4, 3)];
        assert_eq!(ascending(&pairs), [(1, 1), (2, 2), (4, 3)]);
        assert_eq!(ascending(&[]), []);
    }
}
