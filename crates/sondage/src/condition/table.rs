//! What filters are made of, one row each: kinds of variables, and the comparisons.

/// Passes the rows to a macro: `comparisons!(expand)`. Only for this project's own crates.
#[doc(hidden)]
#[macro_export]
macro_rules! comparisons {
    ($then:ident) => {
        $then! {
            variables {
                /// A field of a panel or sample, for example `Division` (type `Panel`).
                // API 11.1
                panel Panel;
                /// A question of a survey, by its code (type `Question`).
                // API 11.3, published
                question Question code;
                /// A custom variable of a survey (type `CustomVariable`). It is sent with the prefix `custom.`, as the
                /// service's documentation writes it, unless it is `bare`.
                // API 11.4, published
                custom CustomVariable;
                /// A variable from the URL of an interview (type `UrlVariable`).
                // API 11.3, published
                url UrlVariable;
                /// A system column of the service (type `SQL`): `Id`, `DistributorId`, `SamplingProjectId`, `PanelId`,
                /// `PanelMemberId`, `Language`, `StartDate`, `EndDate`, `Link`, `State`, `Mode`, `ExpiryDate`, `CreatedAt`,
                /// `CreatedBy`, `UpdatedAt` or `UpdatedBy`.
                // API 11.3, published
                column SQL;
            }
            forms {
                /// Sends the name with its prefix: `member.Division`, `custom.Source`.
                prefixed Prefixed;
                /// Sends the name without a prefix, as given.
                bare Bare;
            }
            with {
                /// Sets the data type of the variable, where the service cannot know it.
                ///
                /// - `variable_type`: The type.
                // API 11.6, published
                of_type VariableType variable_type variable_type;
                /// Compares the value at a path inside a variable that holds JSON. The syntax of the path is not published.
                ///
                /// - `path`: The path.
                // API 11.6, published
                at_json_path Text path json_path;
            }
            one {
                /// Less than the value.
                is_less_than IsLessThan;
                /// Less than the value or equal to it.
                is_less_than_or_equal_to IsLessThanOrEqualTo;
                /// Greater than the value.
                is_greater_than IsGreaterThan;
                /// Greater than the value or equal to it.
                is_greater_than_or_equal_to IsGreaterThanOrEqualTo;
                /// Equal to the value.
                is_equal_to IsEqualTo;
                /// Not equal to the value.
                is_not_equal_to IsNotEqualTo;
                /// Contains the text.
                contains Contains;
                /// Does not contain the text.
                does_not_contain DoesNotContain;
                /// Matches the regular expression. Its dialect is not published.
                matches MatchRegex;
                /// Does not match the regular expression.
                does_not_match DoesNotMatchRegex;
            }
            time {
                /// Later than this timestamp.
                is_after IsGreaterThan;
                /// At this timestamp or later.
                is_since IsGreaterThanOrEqualTo;
                /// Earlier than this timestamp.
                is_before IsLessThan;
                /// At this timestamp or earlier.
                is_until IsLessThanOrEqualTo;
            }
            many {
                /// Equal to any of the values: `AnyIsEqual`. No value may contain a comma, because the service separates them
                /// by commas; join `is_equal_to` tests instead.
                is_in AnyIsEqual;
                /// Equal to any of the values. No value may contain a comma.
                any_is_equal AnyIsEqual;
                /// `AnyIsNotEqual` of the service. How it counts is not published: `is_not_in` is certain.
                any_is_not_equal AnyIsNotEqual;
                /// Matches any of the regular expressions. None may contain a comma.
                any_matches AnyMatchRegex;
                /// `AnyDoesNotMatchRegex` of the service. How it counts is not published.
                any_does_not_match AnyDoesNotMatchRegex;
            }
            each {
                /// Different from each of the values: an `IsNotEqualTo` for each, because it is not published how
                /// `AnyIsNotEqual` combines them.
                is_not_in IsNotEqualTo;
            }
            nothing {
                /// Has no value.
                is_empty IsEmpty;
                /// Has a value.
                is_not_empty IsNotEmpty;
                /// Any of its values is empty.
                any_is_empty AnyIsEmpty;
                /// Any of its values is not empty.
                any_is_not_empty AnyIsNotEmpty;
            }
        }
    };
}
