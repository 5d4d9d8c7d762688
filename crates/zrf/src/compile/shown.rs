//! Options, and what a variant shows.

use std::sync::Arc;

use boardwright_game::{Options, Presentation, Sounds};

use super::Compiler;
use crate::{
    errors,
    expand::Item,
    file,
    options::{self, Value},
    texts::TextForm,
    words::Kw,
};

impl Compiler<'_> {
    pub(super) fn options(&mut self) -> Options {
        let mut found = Options::default();
        for (kw, section) in self.merged.options.clone() {
            let args = self.ctx.tail(&section).collect(self.ctx, 3);
            let mut words = args.iter().filter_map(|it| Some(self.ctx.shown(it.symbol()?)));
            let name = match options::deprecated(kw) {
                Some(name) => name.to_owned(),
                None => words.next().unwrap_or_default(),
            };
            let given = words.next();
            let mut value = given.as_deref().and_then(Value::parse);
            if kw == Kw::AllowFlipping {
                value = match value {
                    Some(Value::True) => Some(Value::False),
                    Some(Value::False) => Some(Value::True),
                    other => other,
                };
            }
            match options::set(&mut found, &name, value) {
                options::Set::BadValue(values) => {
                    let at = args.last().copied().unwrap_or(section);
                    let given = given.as_deref();
                    let warning = errors::bad_option_value(at.span, &name, given, values);
                    self.ctx.report(&at, warning);
                }
                options::Set::Unknown(Some(known)) => {
                    let at = args.first().copied().unwrap_or(section);
                    self.ctx.report(&at, errors::unknown_option(at.span, &name, known));
                }
                options::Set::Unknown(None) | options::Set::Done => {}
            }
        }
        found
    }

    pub(super) fn presentation(&mut self) -> Presentation {
        let shown = |this: &mut Self, kw| this.single_text(kw, TextForm::Display);
        Presentation {
            description: shown(self, Kw::Description),
            history: shown(self, Kw::History),
            strategy: shown(self, Kw::Strategy),
            solution: self.single_string(Kw::Solution),
            music: self.single_string(Kw::Music),
            engine: self.single_string(Kw::Engine).filter(|it| !it.is_empty()),
            sounds: Sounds {
                capture: self.single_string(Kw::CaptureSound),
                change: self.single_string(Kw::ChangeSound),
                click: self.single_string(Kw::ClickSound),
                draw: self.single_string(Kw::DrawSound),
                drop: self.single_string(Kw::DropSound),
                loss: self.single_string(Kw::LossSound),
                mv: self.single_string(Kw::MoveSound),
                opening: self.single_string(Kw::OpeningSound),
                release: self.single_string(Kw::ReleaseSound),
                win: self.single_string(Kw::WinSound),
            },
            translations: Arc::default(),
        }
    }

    /// The text of a section that holds one string, as written.
    fn single_string(&mut self, kw: Kw) -> Option<Arc<str>> {
        self.single_text(kw, TextForm::Raw)
    }

    fn single_text(&mut self, kw: Kw, form: TextForm) -> Option<Arc<str>> {
        let section = self.merged.single.get(&kw).copied()?;
        self.shown_string(&section, form)
    }

    /// The one string of a section or of a part of a piece.
    pub(super) fn shown_string(&mut self, part: &Item, form: TextForm) -> Option<Arc<str>> {
        let (symbol, item) = file::string(self.ctx, part)?;
        Some(self.ctx.shown_text(symbol, form, &item))
    }
}
