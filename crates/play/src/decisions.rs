//! x
/// x
#[derive(Debug)]
pub struct Decision {
    /// a
    pub id: &'static str,
    /// b
    pub section: &'static str,
    /// c
    pub text: &'static str,
}
/// x
pub const DECISIONS: &[Decision] = &[];
