//! Where the original program is silent, or nobody remembers: what we do.
//!
//! Each choice has a name that the code mentions where it is made, and a case of
//! that name in `tests/conformance/decisions`. To change one, change both.

/// A choice of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Its name, and that of its case.
    pub id: &'static str,
    /// What we do.
    pub text: &'static str,
}

const fn choice(id: &'static str, text: &'static str) -> Decision {
    Decision { id, text }
}

/// All choices, grouped by subject.
pub const DECISIONS: &[Decision] = &[
    choice(
        "change-owner-gives-to-owner",
        "`change-owner` gives to the player whose pieces move, who need not be the one who chooses",
    ),
    choice(
        "flag-lifetime",
        "flags pass from block to block within one generation of moves and are lowered before it; \
         an attack probe has flags of its own",
    ),
    choice("go-to-unset", "`(go to)` before `to` stays where it is"),
    choice("marked-unset", "`marked?` is false before `mark`"),
    choice(
        "empty-effects",
        "captures and changes of a site that is empty and stays so are left out of the move",
    ),
    choice(
        "attributes-stick",
        "`set-attribute` works on a piece whose kind does not declare the attribute; \
         a change of kind keeps attributes that both kinds declare, or neither",
    ),
    choice("drop-cascade-hand", "each drop of a cascade takes one piece from the hand"),
    choice("drop-stays-drop", "in a drop block every `add` and `cascade` is a drop, `from` or not"),
    choice(
        "cascade-from-empty",
        "a move is not generated if any of its movements begins on an empty site",
    ),
    choice(
        "copy-owner",
        "`add-copy` takes nothing from the hand; the copy belongs to the player whose pieces move",
    ),
    choice(
        "promotion-first",
        "the promotion is done right after the movements, before the changes",
    ),
    choice(
        "effects-order",
        "changes and captures are done in the order in which the move's text has them",
    ),
    choice(
        "flip-players",
        "`flip` gives a piece to the next player of the list that has turns; neutral pieces stay",
    ),
    choice(
        "nothing-happens",
        "a move in place without effects is not a move, even if it is partial or promotes to its own kind; \
         setting an attribute to the value it has is an effect",
    ),
    choice("drop-promotion-hand", "`(add Q)` in a drop block drops a Q and takes it from the hand"),
    choice(
        "recycled-promotions",
        "with \"recycle promotions\" a change of kind takes the new piece from the hand of the \
         piece's owner and gives the old one back; without one in hand the move is not generated",
    ),
    choice(
        "key-movement",
        "last-from and last-to are those of the first movement; a drop has no last-from, \
         a move in place neither",
    ),
    choice(
        "what-removes",
        "a piece is attacked by movements that end on it and by captures, \
         not by flips, changes of owner or creates",
    ),
    choice(
        "stand-in-attributes",
        "the piece that `attacked?` tries on a site has its kind's default attributes",
    ),
    choice(
        "defended-stand-in",
        "`defended?` tries a piece of the first other player with turns, of the kind whose code runs",
    ),
    choice(
        "attack-nesting",
        "inside a probe, for `attacked?` or for check, `attacked?` and `defended?` are false",
    ),
    choice(
        "check-in-chains",
        "only the end of a chain of partial moves must be safe; a step is legal if some end is",
    ),
    choice(
        "check-next-player",
        "check is what the next turn could take with `moves` blocks of the type it asks for; \
         royal are the pieces of the player whose pieces move",
    ),
    choice(
        "check-double-move",
        "who chooses or owns the next turn as well need not be safe before it",
    ),
    choice(
        "captured-beside-checkmated",
        "a kind that is both `captured` and `checkmated` of one verdict is really taken, \
         whichever comes first in the text",
    ),
    choice(
        "check-in-win-conditions",
        "`checkmated` in a win- or draw-condition is the same test with another result",
    ),
    choice("check-without-royal", "a player without royal pieces may do anything"),
    choice("partial-piece-gone", "a chain ends if its piece is gone or belongs to somebody else"),
    choice("priorities-in-continuations", "the continuation of a partial move ignores priorities"),
    choice("pass-forgets-last", "a pass leaves no last-from and no last-to"),
    choice(
        "pass-deadlock",
        "with forced passing, if nobody could do anything but pass for a whole round, \
         the mover is stalemated at once",
    ),
    choice(
        "turn-type-before-priorities",
        "the type that the turn asks for is applied before priorities",
    ),
    choice(
        "capture-values",
        "\"maximal captures 2\" counts a piece for the moves it has alone on the board, \
         summed over all sites, plus one; chains are measured after the check filter",
    ),
    choice(
        "random-weights",
        "a random player draws among all generated moves, so a move generated twice counts twice",
    ),
    choice(
        "goal-order",
        "conditions are tried in text order; of its players first who moved, then whose pieces \
         moved, then as listed",
    ),
    choice(
        "taken-in-chains",
        "`captured` looks at everything that the turn removed, not only at its last step",
    ),
    choice(
        "goals-nested",
        "inside `and`, `or` and `not`, a goal about moves is unknown until the mover is stuck",
    ),
    choice("repetition-named", "if any condition names `repetition` there is no draw by default"),
    choice(
        "stalemate-default",
        "a stalemate that no condition covers for this player is a draw, or a loss in a solitaire",
    ),
    choice(
        "count-players",
        "`count-condition` without players compares all who have turns, random players aside",
    ),
    choice("credit", "a side that never chooses wins and loses for who moved its pieces last"),
    choice(
        "edits",
        "an edit lifts the outcome, restarts the history, and changes neither turn nor hands",
    ),
    choice("selection-screen", "a selection screen has no moves and no outcome"),
    choice("partial-without-type", "`partial 0` stands for a partial move of any type"),
    choice("capture-once", "a site captured twice is written and emptied once"),
    choice(
        "shared-equals",
        "a change shares `=` with the one before only if that names its site; a promotion never does",
    ),
    choice("shown-parts", "players do not see parts about dummy pieces or about dummy sites only"),
    choice("endless-loop", "a block that runs for 200,000 instructions is an error"),
];
