//! Commands that say which directions lead where.

use std::sync::Arc;

use crate::{
    errors,
    machine::{Machine, Res},
    space_map::Space,
    value::Value,
    words::Command,
};

/// Directions times spaces, at most.
const MOST_LINKS: usize = 500_000;

impl Machine {
    pub(super) fn link_command(&mut self, command: Command, args: &[Value]) -> Res<()> {
        match command {
            Command::Map => {
                for triple in args.chunks(3) {
                    let [direction, df, dr] = triple else {
                        let what = "directions, each with files and ranks";
                        return Err(self.fault(errors::missing("map", self.at, what)));
                    };
                    let step = |it: &Value| it.int(&self.names).clamp(-5000, 5000) as i32;
                    self.map(direction, step(df), step(dr))?;
                }
                Ok(())
            }
            Command::Link => {
                let Some((direction, ends)) = args.split_first() else {
                    let what = "a direction and spaces";
                    return Err(self.fault(errors::missing("link", self.at, what)));
                };
                let direction = self.sym_of(direction)?;
                let spaces = self.spaces(ends)?;
                if spaces.is_empty() || spaces.len() % 2 == 1 {
                    return Err(self.fault(errors::missing("link", self.at, "pairs of spaces")));
                }
                for pair in spaces.chunks(2) {
                    if let [from, to] = *pair {
                        Arc::make_mut(&mut self.links).insert((direction, from), to);
                    }
                }
                self.check_links()
            }
            _ => self.unlink(args),
        }
    }

    /// Links every space to the one a given number of labels away. Labels beyond the board
    /// repeat those on it, so that a walk over the edge comes back.
    fn map(&mut self, direction: &Value, df: i32, dr: i32) -> Res<()> {
        let direction = self.sym_of(direction)?;
        let board = self.board.clone();
        let (wide, high) = board.n_labels();
        self.pay((wide * high) as u64)?;
        let links = Arc::make_mut(&mut self.links);
        for rank in 0..high as i32 {
            for file in 0..wide as i32 {
                let from = board.labelled(file, rank);
                let to = board.labelled(file + df, rank + dr);
                if let (Some(from), Some(to)) = (from, to) {
                    links.insert((direction, from), to);
                }
            }
        }
        self.check_links()
    }

    fn check_links(&self) -> Res<()> {
        if self.links.len() > MOST_LINKS {
            let message = "the board has too many links";
            return Err(self.fault(errors::out_of_memory(self.at, message)));
        }
        Ok(())
    }

    /// Cuts links between groups of spaces, both ways; within a group they stay.
    fn unlink(&mut self, args: &[Value]) -> Res<()> {
        if let [one] = args
            && one.text(&self.names) == "*"
        {
            self.links = Arc::default();
            return Ok(());
        }
        let members: Vec<Value> = match args {
            [Value::Array(array)] => array.values().to_vec(),
            many => many.to_vec(),
        };
        // For each space, the groups that it is in.
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); self.board.spaces().len()];
        for (number, member) in (0..).zip(&members) {
            let patterns = match member {
                Value::Array(array) => array.values().to_vec(),
                one => vec![one.clone()],
            };
            for pattern in patterns {
                let pattern = self.printed(&pattern)?;
                self.pay((self.pieces.len() * pattern.len().max(1)) as u64 / 8)?;
                for space in self.matching(&pattern) {
                    if let Some(of_space) = groups.get_mut(space.index())
                        && of_space.last() != Some(&number)
                    {
                        of_space.push(number);
                    }
                }
            }
        }
        let none = Vec::new();
        let of = |space: Space| groups.get(space.index()).unwrap_or(&none);
        let is_cut = |from: Space, to: Space| {
            let (a, b) = (of(from), of(to));
            let is_same = a.len() == 1 && a == b;
            !(a.is_empty() || b.is_empty() || is_same)
        };
        self.pay(self.links.len() as u64 / 4)?;
        Arc::make_mut(&mut self.links).retain(|&(_, from), to| !is_cut(from, *to));
        Ok(())
    }

    fn matching(&self, pattern: &str) -> Vec<Space> {
        if let Some(space) = self.board.space(pattern) {
            return vec![space];
        }
        let pattern: Vec<char> = pattern.chars().collect();
        self.board.all().filter(|&it| matches(&pattern, self.board.name(it))).collect()
    }
}

/// Whether a pattern with `*` and `?` matches all of a text.
fn matches(pattern: &[char], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    // The last star, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    let (mut p, mut t) = (0, 0);
    while let Some(&ch) = text.get(t) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&it) if it == '?' || it == ch => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    t = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or(&[]).iter().all(|&it| it == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        let check = |pattern: &str, text| matches(&pattern.chars().collect::<Vec<_>>(), text);
        assert!(check("e*", "e4") && check("e*", "e") && check("*", ""));
        assert!(check("e?", "e4") && !check("e?", "e10") && check("*1?", "a10"));
        assert!(!check("f*", "e4"));
    }
}
