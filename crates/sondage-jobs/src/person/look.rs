//! Finds a person in panels, and in the lists that contain members.

use super::found::{Found, PersonMember};
use super::source::PersonSource;
use super::{lists, refused};
use crate::import::keys::folded;
use crate::plan::Reader;
use crate::update::fit;
use sondage::Client;
use sondage::condition::column;
use sondage::error::{Error, Result};
use sondage::model::{Member, ReadPanelRequest, VariableType};
use sondage::text;
use std::time::Instant;

/// The person to find.
pub(super) struct WantedPerson<'a> {
    pub panels: &'a [i64],
    pub key: &'a str,
    pub value: &'a str,
}

/// The id of a member, instead of a field.
const ID: &str = "Id";

pub(super) async fn look(client: &Client, wanted: &WantedPerson<'_>) -> Result<Found> {
    wanted.check()?;
    let begun = Instant::now();
    let (mut reader, mut found) = (Reader::new(client), Found::default());
    for panel in wanted.panels {
        if let Some(id) = wanted.find(&mut reader, *panel, &mut found.similar).await? {
            found.members.extend(member(&mut reader, *panel, id).await?.map(|member| (*panel, member)));
        }
    }
    if found.members.is_empty() {
        return Err(wanted.nobody(&found.similar));
    }
    let members = found.members.len();
    found.sources.push(PersonSource::read(
        "members",
        members,
        "the fields of the members of the panels that were named",
    ));
    let interviews = found.interviews().len();
    found.sources.push(PersonSource::read(
        "interviews",
        interviews,
        "invitations of these members, with their answers",
    ));
    lists::read(&mut reader, &mut found).await?;
    (found.calls, found.bytes, found.took) = (reader.calls_again(), reader.bytes, begun.elapsed());
    Ok(found)
}

/// A member with all fields and interviews.
async fn member(reader: &mut Reader, panel: i64, id: i64) -> Result<Option<Member>> {
    let members = reader.client.members(panel).filter(column(ID).is_equal_to(id)).interviews();
    let mut person = None;
    reader.all(members.pages()?, |member| person = Some(member)).await?;
    // If the service ignores an unknown filter, it returns other people.
    Ok(person.filter(|member| member.id == id))
}

impl WantedPerson<'_> {
    fn check(&self) -> Result<()> {
        let mut panels = self.panels.to_vec();
        panels.sort_unstable();
        panels.dedup();
        if panels.is_empty() || panels.len() != self.panels.len() {
            return Err(refused("`panel_ids` names no panel, or one of them twice", "Name each panel once."));
        }
        if self.value.trim().is_empty() {
            return Err(refused(
                "`value` is empty, so it identifies nobody",
                "Give the value that the person has in the field `key`.",
            ));
        }
        if self.key == ID && (panels.len() > 1 || self.value.parse::<i64>().is_err()) {
            let what = "with `Id` as `key`, `value` is the number of a member of one panel";
            return Err(refused(what, "Name one panel, or a field that the person has in all of them."));
        }
        Ok(())
    }

    /// The id of the member with this key.
    async fn find(
        &self,
        reader: &mut Reader,
        panel: i64,
        similar: &mut Vec<PersonMember>,
    ) -> Result<Option<i64>> {
        if self.key == ID {
            return Ok(self.value.parse().ok());
        }
        let kind = self.kind(reader, panel).await?;
        let (mut same, wanted) = (Vec::new(), folded(self.value));
        // Reads the whole panel: how the service compares text is not published, and a person must not be missed.
        let members = reader.client.members(panel).fields([self.key]);
        reader
            .all(members.pages()?, |member| {
                let key = member.value(self.key).and_then(|value| fit::key(value, &kind, false));
                match key {
                    Some(key) if key == self.value => same.push(member.id),
                    Some(key) if folded(&key) == wanted => {
                        similar.push(PersonMember { panel_id: panel, member_id: member.id });
                    }
                    _ => {}
                }
            })
            .await?;
        if same.len() > 1 {
            let (count, key) = (same.len(), self.key);
            let what =
                text!("{count} members of the panel {panel} have this value in {key:?}: {}", listed(&same));
            let hint = "Which of them is meant? Say so with `Id` as `key`, one panel at a time.";
            return Err(refused(what, hint));
        }
        Ok(same.pop())
    }

    /// The text of the key field.
    async fn kind(&self, reader: &mut Reader, panel: i64) -> Result<VariableType> {
        let answer = reader.client.read_panel(ReadPanelRequest::new(panel)).await?;
        reader.calls += 1;
        let groups = answer.panel.map(|panel| panel.groups).unwrap_or_default();
        let field = groups.into_iter().flat_map(|group| group.fields).find(|field| field.name == self.key);
        let what = || text!("the panel {panel} has no field {:?}", self.key);
        Ok(field
            .ok_or_else(|| refused(what(), "Choose another `key`; `read_panel` shows the fields."))?
            .panel_field_type)
    }

    /// The value is personal data, and must not be in an error.
    fn nobody(&self, similar: &[PersonMember]) -> Error {
        let what = text!("no member of the panels {} has this value in {:?}", listed(self.panels), self.key);
        if similar.is_empty() {
            return refused(what, "Check the value, the field and the panels. Nothing else was read.");
        }
        let near: Vec<String> =
            similar.iter().map(|it| format!("{} of panel {}", it.member_id, it.panel_id)).collect();
        let what = text!("{what}; these have one that differs only by case or spaces: {}", near.join(", "));
        refused(what, "If one of them is meant, give the value as it is there, or `Id` as `key`.")
    }
}

fn listed(ids: &[i64]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
