//! Commands that change what stands on the board.

use std::sync::Arc;

use crate::{
    board::Site,
    errors, forsythe,
    machine::{Machine, Res},
    names::Sym,
    value::Value,
    words::Command,
};

impl Machine {
    pub(super) fn board_command(&mut self, command: Command, args: &[Value]) -> Res<()> {
        use Command::*;
        match command {
            Add => self.add(args)?,
            Drop => {
                let (label, sites) = self.label_and_sites(command, args)?;
                let empty: Vec<_> = sites.into_iter().filter(|&it| self.is_empty(it)).collect();
                let pick = self.rng.below(empty.len());
                let Some(&site) = empty.get(pick) else {
                    let message = errors::no_room(self.names.text(label), self.at);
                    return Err(self.fault(message));
                };
                self.put(site, label);
            }
            Alias => {
                for pair in args.chunks(2) {
                    let [outer, inner] = pair else {
                        let message = errors::missing("alias", self.at, "pairs of names");
                        return Err(self.fault(message));
                    };
                    let pair = (self.sym_of(outer)?, self.sym_of(inner)?);
                    self.pay(self.aliases.len() as u64)?;
                    Arc::make_mut(&mut self.aliases).push(pair);
                }
            }
            Capture => {
                for site in self.sites(args)? {
                    let label = self.on(site);
                    self.last.old = Value::Text(label);
                    if label != Sym::EMPTY {
                        self.last.captured = Value::Text(label);
                    }
                    self.put(site, Sym::EMPTY);
                }
            }
            Clear => self.clear(args)?,
            Empty => {
                let is_all = args.iter().any(|it| it.text(&self.names) == "all");
                let sites = if is_all { self.board.all().collect() } else { self.sites(args)? };
                for site in sites {
                    self.put(site, Sym::EMPTY);
                }
            }
            Flip => {
                for site in self.sites(args)? {
                    if !self.is_empty(site) {
                        let label = self.flipped(self.on(site))?;
                        self.put(site, label);
                    }
                }
            }
            Copy | Move | Swap => self.pairs(command, args)?,
            Replace => self.replace(args)?,
            Shift if self.is_array_name(args) => {
                let name = match args.first() {
                    Some(it) => self.sym_of(it)?,
                    None => return Ok(()),
                };
                self.change_array(name, |array| {
                    let rest = array.values().iter().skip(1).cloned().collect();
                    *array = crate::value::Array::list(rest);
                })?;
            }
            Shift | Mirror | Shuffle => self.rearrange(command, args)?,
            Store => {
                let snapshot = self.snapshot();
                self.pay((self.pieces.len() / 16 + self.flags.len() / 2) as u64)?;
                if self.stored.last().is_some_and(|it| it.depth == snapshot.depth) {
                    self.stored.pop();
                }
                self.stored.push(snapshot);
            }
            Restore => {
                self.pay((self.pieces.len() / 16 + self.flags.len() / 2) as u64)?;
                self.restore()?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The site that a value names, or an error that says it names none.
    pub(crate) fn needed_site(&mut self, value: &Value) -> Res<Site> {
        match self.site_of(value) {
            Some(site) => Ok(site),
            None => {
                let text = crate::eval::shorten(&self.printed(value)?);
                Err(self.fault(errors::no_site(&text, self.at)))
            }
        }
    }

    /// All sites that values name; arrays count as their elements.
    pub(crate) fn sites(&mut self, values: &[Value]) -> Res<Vec<Site>> {
        let mut sites = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Array(array) => {
                    self.pay(array.len() as u64)?;
                    for value in array.values() {
                        sites.push(self.needed_site(value)?);
                    }
                }
                other => sites.push(self.needed_site(other)?),
            }
        }
        Ok(sites)
    }

    /// A value as the label of a piece; `@` is an empty site.
    pub(crate) fn label(&mut self, value: &Value) -> Res<Sym> {
        let label = self.sym_of(value)?;
        let text = self.names.text(label);
        if label != Sym::EMPTY && !forsythe::is_label(text) {
            let message = format!("`{}` cannot be a piece", crate::eval::shorten(text));
            return Err(self.fault(errors::wrong_kind(self.at, message)));
        }
        Ok(label)
    }

    fn label_and_sites(&mut self, command: Command, args: &[Value]) -> Res<(Sym, Vec<Site>)> {
        let Some((label, rest)) = args.split_first() else {
            let message = errors::missing(command.name(), self.at, "a piece and a space");
            return Err(self.fault(message));
        };
        Ok((self.label(label)?, self.sites(rest)?))
    }

    /// `add P C`, `add P all C1 ..`, `add P C Q D`.
    fn add(&mut self, args: &[Value]) -> Res<()> {
        if args.get(1).is_some_and(|it| it.text(&self.names) == "all") {
            let label = match args.first() {
                Some(it) => self.label(it)?,
                None => return Ok(()),
            };
            for site in self.sites(args.get(2..).unwrap_or(&[]))? {
                self.put(site, label);
            }
            return Ok(());
        }
        if args.is_empty() || args.len() % 2 == 1 {
            let message = errors::missing("add", self.at, "a piece and a space");
            return Err(self.fault(message));
        }
        for pair in args.chunks(2) {
            if let [label, site] = pair {
                let label = self.label(label)?;
                let site = self.needed_site(site)?;
                self.put(site, label);
            }
        }
        Ok(())
    }

    fn pairs(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let sites = self.sites(args)?;
        if sites.is_empty() || sites.len() % 2 == 1 {
            return Err(self.fault(errors::missing(command.name(), self.at, "two spaces")));
        }
        for pair in sites.chunks(2) {
            let [from, to] = *pair else { continue };
            let (first, second) = (self.on(from), self.on(to));
            self.put(to, first);
            match command {
                Command::Move if from != to => self.put(from, Sym::EMPTY),
                Command::Swap => self.put(from, second),
                _ => {}
            }
        }
        Ok(())
    }

    fn replace(&mut self, args: &[Value]) -> Res<()> {
        let [old, new, rest @ ..] = args else {
            let message = errors::missing("replace", self.at, "two pieces");
            return Err(self.fault(message));
        };
        let (old, new) = (self.label(old)?, self.label(new)?);
        let sites = match rest {
            [] => self.board.all().collect(),
            rest => self.sites(rest)?,
        };
        for site in sites {
            if self.on(site) == old {
                self.put(site, new);
            }
        }
        Ok(())
    }

    fn rearrange(&mut self, command: Command, args: &[Value]) -> Res<()> {
        let sites = self.sites(args)?;
        let mut labels: Vec<_> = sites.iter().map(|&it| self.on(it)).collect();
        match command {
            Command::Mirror => labels.reverse(),
            Command::Shuffle => self.rng.shuffle(&mut labels),
            // What stood on the first goes to the second, and the last comes first.
            _ if labels.is_empty() => {}
            _ => labels.rotate_right(1),
        }
        for (site, label) in sites.into_iter().zip(labels) {
            self.put(site, label);
        }
        Ok(())
    }

    /// Moves pieces to the first empty sites off the board; where there are none
    /// they are gone.
    fn clear(&mut self, args: &[Value]) -> Res<()> {
        let is_all = args.iter().any(|it| it.text(&self.names) == "board");
        let board = self.board.clone();
        let is_hidden = |it: Site| board.place(it).is_some_and(|it| it.is_hidden);
        let sites = match is_all {
            true => board.all().filter(|&it| !is_hidden(it)).collect(),
            false => self.sites(args)?,
        };
        self.pay(sites.len() as u64)?;
        let mut free: Vec<_> =
            board.all().filter(|&it| is_hidden(it) && self.is_empty(it)).collect();
        free.reverse();
        for site in sites {
            let label = self.on(site);
            self.put(site, Sym::EMPTY);
            if label != Sym::EMPTY
                && let Some(hand) = free.pop()
            {
                self.put(hand, label);
            }
        }
        Ok(())
    }

    /// Whether `shift` is given one array variable instead of sites.
    fn is_array_name(&self, args: &[Value]) -> bool {
        let [one] = args else { return false };
        let name = one.sym().filter(|_| self.site_of(one).is_none());
        matches!(name.and_then(|it| self.scopes.get(it)), Some(Value::Array(_)))
    }
}
