//! Programs as text, for people and for tests.

use std::fmt::Write;

use crate::{Mark, Op, PieceKind, Place, Ruleset};

impl Ruleset {
    /// The code of a piece kind, an instruction a line, with names for numbers.
    pub fn listing(&self, kind: PieceKind) -> String {
        let mut out = String::new();
        let Some(piece) = self.pieces.get(kind.idx()) else {
            return out;
        };
        for (idx, op) in piece.program.ops.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{idx} {}", self.op_text(kind, op));
        }
        out
    }

    fn op_text(&self, kind: PieceKind, op: &Op) -> String {
        let direction = |it: crate::Direction| {
            self.board.directions.get(it.idx()).map_or("?", |it| it.name.as_str())
        };
        let site = |it: crate::Site| self.board.site_name(it);
        let place = |it: Place| match it {
            Place::Here => String::new(),
            Place::Site(it) => format!(" {}", site(it)),
            Place::Step(it) => format!(" {}", direction(it)),
            Place::Back(it) => format!(" (opposite {})", direction(it)),
        };
        let name = |list: &[String], idx: usize| list.get(idx).cloned().unwrap_or_default();
        let of_type = |it: Option<crate::MoveType>| {
            it.map_or(String::new(), |it| format!(" {}", name(&self.move_types, it.idx())))
        };
        match *op {
            Op::End => "end".into(),
            Op::Step(it) => format!("step {}", direction(it)),
            Op::StepBack(it) => format!("step (opposite {})", direction(it)),
            Op::Goto(it) => format!("goto {}", site(it)),
            Op::Go(mark) => format!(
                "go {}",
                match mark {
                    Mark::From => "from",
                    Mark::To => "to",
                    Mark::Mark => "mark",
                    Mark::LastFrom => "last-from",
                    Mark::LastTo => "last-to",
                }
            ),
            Op::SetFrom => "from".into(),
            Op::SetTo => "to".into(),
            Op::SetMark(at) => format!("mark{}", place(at)),
            Op::Constant(it) => it.to_string(),
            Op::Flag(it) => format!("flag? {it}"),
            Op::SiteFlag(it, at) => format!("position-flag? {it}{}", place(at)),
            Op::Empty(at) => format!("empty?{}", place(at)),
            Op::Enemy(at) => format!("enemy?{}", place(at)),
            Op::Friend(at) => format!("friend?{}", place(at)),
            Op::Neutral(at) => format!("neutral?{}", place(at)),
            Op::OnBoard(at) => format!("on-board?{}", place(at)),
            Op::AdjacentToEnemy(at) => format!("adjacent-to-enemy?{}", place(at)),
            Op::GoalSite(at) => format!("goal-position?{}", place(at)),
            Op::LastFrom(at) => format!("last-from?{}", place(at)),
            Op::LastTo(at) => format!("last-to?{}", place(at)),
            Op::Marked(at) => format!("marked?{}", place(at)),
            Op::InZone(it, at) => {
                let zone = self.board.zones.get(it.idx()).map_or("?", |it| it.name.as_str());
                format!("in-zone? {zone}{}", place(at))
            }
            Op::IsKind(it, at) => format!("piece? {}{}", self.piece_name(it), place(at)),
            Op::IsSite(it, at) => format!("position? {}{}", site(it), place(at)),
            Op::HasAttribute(it, at) => {
                format!("has {}{}", name(&self.attributes, it.idx()), place(at))
            }
            Op::Attacked(it, at) => format!("attacked?{}{}", of_type(it.get()), place(at)),
            Op::Defended(it, at) => format!("defended?{}{}", of_type(it.get()), place(at)),
            Op::Not => "not".into(),
            Op::Jump(to) => format!("jump {to}"),
            Op::JumpIf(to) => format!("jump-if {to}"),
            Op::JumpUnless(to) => format!("jump-unless {to}"),
            Op::Verify => "verify".into(),
            Op::SetFlag(it) => format!("set-flag {it}"),
            Op::SetSiteFlag(it, at) => format!("set-position-flag {it}{}", place(at)),
            Op::SetAttribute(it, at) => {
                format!("set-attribute {}{}", name(&self.attributes, it.idx()), place(at))
            }
            Op::Capture(at) => format!("capture{}", place(at)),
            Op::Flip(at) => format!("flip{}", place(at)),
            Op::ChangeOwner(at) => format!("change-owner{}", place(at)),
            Op::ChangeType(it, at) => format!("change-type {}{}", self.piece_name(it), place(at)),
            Op::Create(_) | Op::Add(_) => self.form_text(kind, op),
            Op::Cascade => "cascade".into(),
        }
    }

    fn form_text(&self, kind: PieceKind, op: &Op) -> String {
        let Some(program) = self.pieces.get(kind.idx()).map(|it| &it.program) else {
            return String::new();
        };
        let mut out = String::new();
        match *op {
            Op::Create(idx) => {
                out.push_str("create");
                if let Some(form) = program.creates.get(idx as usize) {
                    out.extend(form.player.iter().flat_map(|&it| [" ", self.player_name(it)]));
                    out.extend(form.kind.iter().flat_map(|&it| [" ", self.piece_name(it)]));
                    match form.place {
                        Place::Here => {}
                        Place::Site(it) => out.extend([" ", self.board.site_name(it)]),
                        Place::Step(it) | Place::Back(it) => {
                            let back = matches!(form.place, Place::Back(_));
                            let found = self.board.directions.get(it.idx());
                            out.push_str(if back { " against " } else { " " });
                            out.push_str(found.map_or("?", |it| it.name.as_str()));
                        }
                    }
                }
            }
            Op::Add(idx) => {
                if let Some(form) = program.adds.get(idx as usize) {
                    out.push_str("add");
                    out.push_str(if form.is_copy { "-copy" } else { "" });
                    out.push_str(if form.is_partial { "-partial" } else { "" });
                    out.extend(form.promote.iter().flat_map(|&it| [" ", self.piece_name(it)]));
                    if let Some(it) = form.move_type.and_then(|it| self.move_types.get(it.idx())) {
                        out.extend([" > ", it.as_str()]);
                    }
                }
            }
            _ => {}
        }
        out
    }
}
