//! `(links …)`, `(unlink …)` and `(kill-positions …)`.

use super::Builder;
use crate::{errors, expand::Item};

/// Bytes that one link takes until the board is finished.
pub(super) const LINK_BYTES: usize = 8;

impl Builder<'_> {
    /// `(links n (a1 a2) …)`
    pub(super) fn links(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        let Some(head) = tail.next(self.ctx) else {
            self.ctx
                .report(section, errors::missing_argument(section.span, "links", "a direction"));
            return;
        };
        let Some(direction) = head.word().and_then(|it| self.direction(it, &head)) else {
            self.ctx.report(&head, errors::expected(head.span, "a direction"));
            self.lacks_names = true;
            return;
        };
        while let Some(pair) = tail.next(self.ctx) {
            let ends = self.ctx.items(&pair).collect(self.ctx, 3);
            let [from, to] = ends.as_slice() else {
                self.ctx.report(&pair, errors::expected(pair.span, "a pair `(from to)`"));
                continue;
            };
            if let (Some(from), Some(to)) = (self.site(from), self.site(to))
                && self.ctx.take(LINK_BYTES, &pair)
            {
                self.links.push((from, direction, to));
            }
        }
    }

    /// `(unlink a1 (a1 b1) (a1 n))`
    pub(super) fn unlink(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(entry) = tail.next(self.ctx) {
            // Looking through the links is work, too.
            if !self.ctx.spend(self.links.len() as u64 / 64, &entry) {
                return;
            }
            if !entry.is_list() {
                if let Some(site) = self.site(&entry) {
                    self.links.retain(|&(from, _, to)| from != site && to != site);
                }
                continue;
            }
            let ends = self.ctx.items(&entry).collect(self.ctx, 3);
            let [first, second] = ends.as_slice() else {
                let what = "`(position position)` or `(position direction)`";
                self.ctx.report(&entry, errors::expected(entry.span, what));
                continue;
            };
            let Some(site) = self.site(first) else {
                continue;
            };
            let symbol = second.word();
            let direction = symbol.and_then(|it| self.direction_names.get(&it)).copied();
            let is_site = symbol.is_some_and(|it| self.by_name.contains_key(&it));
            match direction {
                Some(direction) if !is_site => {
                    self.links.retain(|&(from, dir, _)| (from, dir) != (site, direction));
                }
                _ => {
                    if let Some(other) = self.site(second) {
                        self.links.retain(|&(from, _, to)| {
                            (from, to) != (site, other) && (from, to) != (other, site)
                        });
                    }
                }
            }
        }
    }

    /// `(kill-positions a1 …)`
    pub(super) fn kill(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(item) = tail.next(self.ctx) {
            let already = item.word().is_some_and(|it| self.killed_names.contains(&it));
            if !already && self.site(&item).is_some() {
                self.killed.extend(item.word());
                self.killed_names.extend(item.word());
            }
        }
    }
}
