//! The system columns that the service adds to every interview, and its values of every member.

use super::Wanted;

/// System columns of interviews, in the order in which tables show them: these are published as columns for filters. Which of them a response
/// contains, and how it spells them, is not published: they are recognised regardless of case, and typed only if every value fits.
// API 6.3, published
const INTERVIEW: [(&str, Option<Wanted>); 18] = [
    ("Id", None),
    ("InterviewId", None),
    ("DistributorId", Some(Wanted::Integer)),
    ("SamplingProjectId", Some(Wanted::Integer)),
    ("PanelId", Some(Wanted::Integer)),
    ("PanelMemberId", Some(Wanted::Integer)),
    ("State", Some(Wanted::Text)),
    ("Mode", None),
    ("Language", Some(Wanted::Text)),
    ("Link", Some(Wanted::Text)),
    ("StartDate", Some(Wanted::Timestamp)),
    ("EndDate", Some(Wanted::Timestamp)),
    ("ExpiryDate", Some(Wanted::Timestamp)),
    ("CreatedAt", Some(Wanted::Timestamp)),
    ("CreatedBy", Some(Wanted::Text)),
    ("UpdatedAt", Some(Wanted::Timestamp)),
    ("UpdatedBy", Some(Wanted::Text)),
    ("SurveyVersionId", Some(Wanted::Integer)),
];

/// The system column of interviews with this name: its position among them, and its type.
pub(crate) fn of_interview(name: &str) -> Option<(usize, Option<Wanted>)> {
    let position = INTERVIEW.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some((position, INTERVIEW[position].1))
}

/// Whether a question of this name has the name of a system column of interviews, letter by letter.
pub(crate) fn shares_its_name(question: &str) -> bool {
    INTERVIEW.iter().any(|(known, _)| *known == question)
}

/// The type of a system column without values: the type of the data is unknown, and the columns promise none.
pub(crate) fn type_without_values(wanted: Option<Wanted>) -> Wanted {
    wanted.unwrap_or(Wanted::Text)
}

/// The system columns of a download that names no columns. `InterviewId` is another name of `Id`, and nothing is
/// published about the version of the survey in downloads.
pub(crate) fn columns_of_interviews() -> impl Iterator<Item = &'static str> {
    INTERVIEW.iter().map(|(name, _)| *name).filter(|name| !["InterviewId", "SurveyVersionId"].contains(name))
}

/// Whether the system column of interviews with this name holds timestamps.
pub(crate) fn is_moment_of_interview(name: &str) -> bool {
    of_interview(name).is_some_and(|(_, wanted)| wanted == Some(Wanted::Timestamp))
}

/// Whether the service's value of a member with this name is a timestamp.
pub(crate) fn is_moment_of_member(name: &str) -> bool {
    MEMBER.iter().any(|(wire, _, wanted)| *wire == name && *wanted == Some(Wanted::Timestamp))
}

/// The service's values of a member: the name on the wire, the name in a table, the type.
// API 3.2
pub(crate) const MEMBER: [(&str, &str, Option<Wanted>); 6] = [
    ("id", "id", Some(Wanted::Integer)),
    ("createdAt", "created_at", Some(Wanted::Timestamp)),
    ("createdBy", "created_by", Some(Wanted::Text)),
    ("updatedAt", "updated_at", Some(Wanted::Timestamp)),
    ("updatedBy", "updated_by", Some(Wanted::Text)),
    (INTERVIEWS, INTERVIEWS, Some(Wanted::Text)),
];

/// The interviews of a member, which exist only on request.
pub(crate) const INTERVIEWS: &str = "interviews";
