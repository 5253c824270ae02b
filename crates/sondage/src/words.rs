//! Values that are one of a few words, described as data: the enumerations and literals of all languages are generated
//! from these descriptions.

/// The words of an enumeration under `#[words]`.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// The name of the enumeration.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// The words, in order.
    pub texts: &'static [&'static str],
    /// The words in a sentence, such as ``"`on` or `off`"``.
    pub listed: &'static str,
    /// The name and the documentation of each variant, in order.
    pub variants: &'static [(&'static str, &'static str)],
}

#[cfg(test)]
mod tests {
    use crate::budget::BudgetMode;

    #[test]
    fn a_variant_is_its_word_wherever_it_is_written_or_read() {
        assert_eq!(BudgetMode::WORDS.texts, BudgetMode::ALL.map(BudgetMode::as_str));
        assert_eq!(BudgetMode::WORDS.texts, ["off", "warn", "stop", "hard_stop"]);
        assert_eq!(BudgetMode::WORDS.listed, "`off`, `warn`, `stop` or `hard_stop`");
        assert_eq!(BudgetMode::of_word("hard_stop"), Some(BudgetMode::HardStop));
        assert_eq!(serde_json::to_string(&BudgetMode::HardStop).unwrap(), "\"hard_stop\"");
        let wrong = serde_json::from_str::<BudgetMode>("\"hardStop\"").unwrap_err().to_string();
        assert!(wrong.contains("`off`, `warn`, `stop`, `hard_stop`"), "{wrong}");
    }
}
