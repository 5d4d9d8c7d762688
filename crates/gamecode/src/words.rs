//! The words of the language: operators, commands, keywords.

/// Defines an enum of words and how they are written.
macro_rules! words {
    ($(#[$doc:meta])* $kind:ident: $($variant:ident $name:literal $($alias:literal)*),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum $kind {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl $kind {
            /// Every spelling.
            pub(crate) const SPELLINGS: &[&str] = &[$($name, $($alias,)*)*];

            /// The word spelled so.
            pub(crate) fn named(text: &str) -> Option<$kind> {
                Some(match text {
                    $($name $(| $alias)* => $kind::$variant,)*
                    _ => return None,
                })
            }

            /// Its first spelling.
            #[allow(dead_code, reason = "not every kind of word is printed")]
            pub(crate) fn name(self) -> &'static str {
                match self { $($kind::$variant => $name,)* }
            }
        }
    };
}

words! {
    /// An operator of expressions.
    Op:
    // Breaking operators: these may end the evaluation.
    And "and", Or "or", Nand "nand", Nor "nor", Unless "unless", OnlyIf "onlyif", Check "check",
    Target "target",
    // Evaluation.
    Cond "cond", Eval "eval", Fn "fn", Sub "sub", Lambda "lambda", Not "not", Xor "xor",
    Xnor "xnor",
    // Arithmetic and comparison.
    Add "+" "plus", Minus "-" "minus", Times "*" "times", Over "/" "over", Mod "%" "mod",
    Power "**", ShiftRight ">>", ShiftLeft "<<", BitAnd "band", BitOr "bor", BitXor "bxor",
    Equal "==" "equal", NotEqual "!=" "notequal", Less "<" "less", More ">" "more",
    LessEqual "<=" "lessequal", MoreEqual ">=" "moreequal",
    Inc "inc", Dec "dec", Abs "abs", Sign "sign", Floor "floor", Ceil "ceil", Round "round",
    Sqrt "sqrt", Negative "negative", Max "max", Min "min", Sum "sum", Rand "rand",
    // Names.
    Var "var", Const "const", Flag "flag", System "system", IsSet "isset", Alias "alias",
    // Text.
    Join "join", Chr "chr", Ord "ord", StrLen "strlen", Trim "trim", Lower "lower", Upper "upper",
    FlipCase "flipcase", IsUpper "isupper", IsLower "islower", Split "split", Substr "substr",
    IsArray "isarray", IsNum "isnum",
    // Arrays.
    Array "array", List "list", Match "match", Range "range", Merge "merge", Elem "elem", In "in",
    Diff "diff", Intersect "intersect", Remove "remove", Push "push", Count "count", Keys "keys",
    Values "values", Reverse "reverse", Sort "sort", AnyTrue "anytrue", AllTrue "alltrue",
    Filter "filter", Map "map",
    // The board.
    Capture "capture", OnlyUpper "onlyupper", OnlyLower "onlylower", Spaces "spaces",
    Space "space", Empty "empty", File "file", Rank "rank", FileName "filename",
    RankName "rankname", Where "where", What "what", InSight "insight", Leaps "leaps",
    Rays "rays", Distance "distance",
    CheckLeap "checkleap" "checkstep", CheckALeap "checkaleap", CheckRide "checkride",
    CheckARide "checkaride", CheckHop "checkhop", CheckAHop "checkahop",
    CheckTwoStep "checktwostep", CheckATwoStep "checkatwostep",
    CheckGrassHop "checkgrasshop", CheckLongLeap "checklongleap", CheckPath "checkpath",
    LogLeap "logleap", LogRide "logride", LogLeaps "logleaps", LogRays "lograys",
}

words! {
    /// A command that takes its arguments as they are, without evaluating them.
    Command:
    // The board.
    Add "add", Alias "alias", Capture "capture", Clear "clear", Copy "copy", Drop "drop",
    Empty "empty", Flip "flip", Move "move", Replace "replace", Shift "shift" "rotate",
    Mirror "mirror", Shuffle "shuffle", Swap "swap", Store "store", Restore "restore", Map "map",
    Link "link", Unlink "unlink",
    // Messages and endings.
    Echo "echo", Dump "dump", Won "won", Lost "lost", Drawn "drawn",
    // Names.
    Local "local", My "my", Static "static", Unset "unset", Inc "inc", Dec "dec", Pop "pop",
    UnsetConst "unsetconst",
    SetFlag "setflag", UnsetFlag "unsetflag" "resetflag", CopyFlag "copyflag",
    MoveFlag "moveflag", ClearFlags "clearflags",
    // Calls and input.
    Gosub "gosub", Ban "ban" "deny" "forbid", Allow "allow" "permit", SetLegal "setlegal",
    AskPromote "askpromote", Ask "ask", AppendMove "appendmove", MoveIndex "moveindex",
}

words! {
    /// A command that evaluates, or takes its text raw, or directs the flow.
    Flow:
    If "if", ElseIf "elseif", Else "else", EndIf "endif", Verify "verify",
    Switch "switch", Case "case", Default "default", EndSwitch "endswitch",
    For "for" "foreach", Next "next", Do "do", Loop "loop",
    Break "break", Continue "continue", Redo "redo",
    Sub "sub", EndSub "endsub", Return "return", Include "include",
    End "end", Exit "exit",
    Set "set", SetElem "setelem", SetConst "setconst", Cset "cset",
    SetSystem "setsystem" "setglobal", Def "def", Push "push", Unshift "unshift",
    Print "print", Say "say", Die "die", Eval "eval",
}

words! {
    /// A word that stands for what the last move was.
    Keyword:
    Origin "origin", Dest "dest", Moved "moved", Old "old", Captured "captured",
    ThisMove "thismove",
}

impl Flow {
    /// Whether a colon ends its header.
    pub(crate) fn opens(self) -> bool {
        use Flow::*;
        matches!(self, If | ElseIf | Else | Switch | Case | Default | For | Do | Sub)
    }

    /// Whether a line break ends it when nothing else follows.
    pub(crate) fn ends_with_line(self) -> bool {
        use Flow::*;
        matches!(self, EndIf | EndSub | EndSwitch | Next | Loop | Break | Continue | Redo | Else)
            || self == End
    }

    /// Whether the rest is text to show, not words.
    pub(crate) fn is_raw(self) -> bool {
        matches!(self, Flow::Say | Flow::Die)
    }
}

/// Every word that may begin a statement.
pub fn commands() -> impl Iterator<Item = &'static str> {
    Command::SPELLINGS.iter().chain(Flow::SPELLINGS).copied()
}

/// Every operator.
pub fn operators() -> impl Iterator<Item = &'static str> {
    Op::SPELLINGS.iter().copied()
}

/// Every word that stands for what the last move was.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    Keyword::SPELLINGS.iter().copied()
}
