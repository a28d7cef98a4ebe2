//! What a command's words may become when the shell puts file names in the place of patterns.

/// One sign of a command as it is known before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// This one.
    Char(char),
    /// What a pattern of file names stands for: anything without a space.
    Names,
    /// The same where the pattern begins a word with `*`. That a file there is named like an option
    /// is left out: else each `*` would look like what a rule about an option is about.
    Start,
    /// Anything.
    Unknown,
}

/// Signs that are looked at; what comes behind may be anything.
const MOST: usize = 4_096;

/// Whether a glob, made of literal pieces with a star between each two, matches some text that the
/// signs may become. Takes time in the length of the one times that of the other.
pub(crate) fn could_match(pieces: &[String], signs: &[Sign]) -> bool {
    let glob = starred(pieces);
    let mut states = vec![false; glob.len() + 1];
    if let Some(first) = states.first_mut() {
        *first = true;
    }
    skip_stars(&glob, &mut states);
    let rest = (signs.len() > MOST).then_some(&Sign::Unknown);
    for sign in signs.iter().take(MOST).chain(rest) {
        match *sign {
            Sign::Char(char) => states = after(&glob, &states, |c| c == char),
            Sign::Names => names(&glob, &mut states),
            Sign::Start => {
                let mut first = after(&glob, &states, |c| c != ' ' && c != '-');
                names(&glob, &mut first);
                states.iter_mut().zip(first).for_each(|(state, new)| *state |= new);
            }
            Sign::Unknown => {
                let from = states.iter().position(|&state| state).unwrap_or(states.len());
                states.iter_mut().skip(from).for_each(|state| *state = true);
            }
        }
        if !states.contains(&true) {
            return false;
        }
    }
    states.last().copied().unwrap_or_default()
}

/// `None` is a star.
fn starred(pieces: &[String]) -> Vec<Option<char>> {
    let mut glob = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        glob.extend((index > 0).then_some(None));
        glob.extend(piece.chars().map(Some));
    }
    glob
}

/// A star may stand for nothing.
fn skip_stars(glob: &[Option<char>], states: &mut [bool]) {
    for (at, one) in glob.iter().enumerate() {
        let passes = one.is_none() && states.get(at).copied().unwrap_or_default();
        if let Some(next) = states.get_mut(at + 1).filter(|_| passes) {
            *next = true;
        }
    }
}

/// The states behind one more character of which `is` is true.
fn after(glob: &[Option<char>], states: &[bool], is: impl Fn(char) -> bool) -> Vec<bool> {
    let mut new = vec![false; states.len()];
    for (at, one) in glob.iter().enumerate().filter(|(at, _)| states.get(*at) == Some(&true)) {
        let to = match one {
            None => at,
            Some(char) if is(*char) => at + 1,
            Some(_) => continue,
        };
        if let Some(state) = new.get_mut(to) {
            *state = true;
        }
    }
    skip_stars(glob, &mut new);
    new
}

/// Behind any number of characters without a space. One pass suffices, since it only leads on.
fn names(glob: &[Option<char>], states: &mut [bool]) {
    for (at, one) in glob.iter().enumerate() {
        let passes = *one != Some(' ') && states.get(at).copied().unwrap_or_default();
        if let Some(next) = states.get_mut(at + 1).filter(|_| passes) {
            *next = true;
        }
    }
}
