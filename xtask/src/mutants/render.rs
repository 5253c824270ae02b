//! The source with its edits, and the position of each.

use super::edits::{Edit, EditKind, EditPart};
use std::ops::Range;

#[derive(Default)]
pub struct Rendered {
    pub text: String,
    marks: Vec<MutantMark>,
}

struct MutantMark {
    range: Range<usize>,
    kind: EditKind,
    ids: Vec<usize>,
}

/// `edits` are sorted: an edit that contains another one precedes it.
pub fn render(source: &str, edits: &[Edit]) -> Rendered {
    let mut rendered = Rendered::default();
    rendered.source(source, edits, 0..source.len());
    rendered
}

impl Rendered {
    fn source(&mut self, source: &str, edits: &[Edit], range: Range<usize>) {
        let mut at = range.start;
        for (number, edit) in edits.iter().enumerate() {
            if edit.range.start < at || edit.range.end > range.end {
                continue;
            }
            self.text.push_str(&source[at..edit.range.start]);
            at = edit.range.end;
            let begin = self.text.len();
            self.parts(source, &edits[number + 1..], &edit.parts);
            self.marks.push(MutantMark {
                range: begin..self.text.len(),
                kind: edit.kind,
                ids: edit.ids.clone(),
            });
        }
        self.text.push_str(&source[at..range.end]);
    }

    fn parts(&mut self, source: &str, edits: &[Edit], parts: &[EditPart]) {
        for part in parts {
            match part {
                EditPart::Text(text) => self.text.push_str(text),
                EditPart::Source(range) => self.source(source, edits, range.clone()),
                EditPart::Marked(kind, id, parts) => {
                    let begin = self.text.len();
                    self.parts(source, edits, parts);
                    self.marks.push(MutantMark {
                        range: begin..self.text.len(),
                        kind: *kind,
                        ids: vec![*id],
                    });
                }
            }
        }
    }

    /// Maps the location of a compiler error to mutants: those of the narrowest place that contains it, and the kind of
    /// place.
    pub fn whose(&self, place: &Range<usize>) -> Option<(EditKind, Vec<usize>)> {
        let holds = |mark: &&MutantMark| mark.range.start <= place.start && place.end <= mark.range.end;
        let narrowest = self.marks.iter().filter(holds).min_by_key(|mark| mark.range.len())?;
        Some((narrowest.kind, narrowest.ids.clone()))
    }

    /// If no single mutant is identified: all in the body of the function, or those that return early.
    pub fn within(&self, ids: Vec<usize>) -> Vec<usize> {
        let body = self.marks.iter().find(|mark| mark.kind == EditKind::Body && mark.ids == ids);
        let Some(body) = body else { return ids };
        let within = |mark: &&MutantMark| {
            mark.kind == EditKind::Frame
                && body.range.start <= mark.range.start
                && mark.range.end <= body.range.end
                && mark.ids.iter().all(|id| !ids.contains(id))
        };
        let others: Vec<usize> = self.marks.iter().filter(within).flat_map(|mark| mark.ids.clone()).collect();
        if others.is_empty() { ids } else { others }
    }
}
