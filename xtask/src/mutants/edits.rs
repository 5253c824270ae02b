//! A mutant as an edit of the source: the original expression, unless its mutant is the active one.

use super::list::Mutant;
use crate::Result;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Expr, ExprBinary, ExprStruct, ExprUnary, Pat};

/// The replacement of a range of the source.
pub struct Edit {
    pub range: Range<usize>,
    /// Of edits with the same range, the one with the greater number is the inner one.
    pub depth: u8,
    pub kind: EditKind,
    pub ids: Vec<usize>,
    pub parts: Vec<EditPart>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKind {
    /// An error in code from cargo-mutants means that the mutant itself does not compile.
    Replacement,
    /// The code that this tool puts around a replacement.
    Frame,
    /// A function with mutants in it.
    Body,
}

pub enum EditPart {
    Text(String),
    /// The source, with the edits in it.
    Source(Range<usize>),
    Marked(EditKind, usize, Vec<EditPart>),
}
use EditPart::{Marked, Source, Text};

/// The edits of one file for these mutants of it, and mutants that are not valid Rust.
pub fn edits(source: &str, mutants: &[&Mutant]) -> Result<(Vec<Edit>, Vec<usize>)> {
    let mut finder = EditFinder { mutants, source, edits: Vec::new(), nonsense: Vec::new() };
    finder.visit_file(&syn::parse_file(source)?);
    finder.bodies();
    let mut edits = finder.edits;
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end), edit.depth));
    Ok((edits, finder.nonsense))
}

struct EditFinder<'list> {
    mutants: &'list [&'list Mutant],
    source: &'list str,
    edits: Vec<Edit>,
    nonsense: Vec<usize>,
}

fn text(text: impl Into<String>) -> EditPart {
    Text(text.into())
}

fn bytes(thing: &impl syn::spanned::Spanned) -> Range<usize> {
    thing.span().byte_range()
}

/// The condition under which a mutant is active.
fn active(id: usize) -> String {
    format!("crate::mutant({id})")
}

impl<'list> EditFinder<'list> {
    fn of(&self, genre: &str, fits: impl Fn(&Range<usize>) -> bool) -> Vec<&'list Mutant> {
        self.mutants.iter().copied().filter(|mutant| mutant.genre == genre && fits(&mutant.range)).collect()
    }

    fn edit(&mut self, range: Range<usize>, depth: u8, of: &[&Mutant], parts: Vec<EditPart>) {
        let ids = of.iter().map(|mutant| mutant.id).collect();
        self.edits.push(Edit { range, depth, kind: EditKind::Frame, ids, parts });
    }

    /// `{ if crate::mutant(1) { return REPLACEMENT; } BODY }`
    fn bodies(&mut self) {
        let mut functions = self.of("FnValue", |_| true);
        while let Some(range) = functions.first().map(|mutant| mutant.range.clone()) {
            let (here, others) = functions.into_iter().partition(|mutant| mutant.range == range);
            functions = others;
            let mut parts = Vec::new();
            for mutant in &here {
                let value = Marked(EditKind::Replacement, mutant.id, vec![text(&mutant.replacement)]);
                let begin = text(format!("if {} {{ return ", active(mutant.id)));
                parts.push(Marked(EditKind::Frame, mutant.id, vec![begin, value, text("; } ")]));
            }
            parts.push(Source(range.clone()));
            self.edit(range, 0, &here, parts);
            if let Some(edit) = self.edits.last_mut() {
                edit.kind = EditKind::Body;
            }
        }
    }

    fn compared(&mut self, binary: &ExprBinary, of: &[&Mutant]) {
        let (left, right) = (bytes(&*binary.left), bytes(&*binary.right));
        let sign = &self.source[bytes(&binary.op)];
        let parts = match (of, &binary.op) {
            ([only], BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Ge(_) | BinOp::Le(_)) => {
                // The replacement is the negation.
                let whole = Source(left.start..right.end);
                vec![text("(("), whole, text(format!(") != {})", active(only.id)))]
            }
            _ => choice(
                vec![text("(match (&("), Source(left), text("), &("), Source(right), text(")) { (l, r) => ")],
                of,
                |sign| vec![text(format!("l {sign} r"))],
                sign,
            ),
        };
        self.edit(bytes(binary), 1, of, parts);
    }

    fn joined(&mut self, binary: &ExprBinary, of: &[&Mutant]) {
        let [only] = of else { return };
        // `||` next to a `let` is not valid Rust.
        if lets(&binary.left) || lets(&binary.right) {
            self.nonsense.push(only.id);
            return;
        }
        let (id, mutant) = (only.id, active(only.id));
        let (sign, otherwise) =
            if matches!(binary.op, BinOp::And(_)) { ("!=", "mutant") } else { ("==", "!mutant") };
        let parts = vec![
            text(format!("(match {mutant} {{ mutant{id} => if (")),
            Source(bytes(&*binary.left)),
            text(format!(") {sign} mutant{id} {{ ")),
            Source(bytes(&*binary.right)),
            text(format!(" }} else {{ {otherwise}{id} }} }})")),
        ];
        self.edit(bytes(binary), 1, of, parts);
    }

    fn computed(&mut self, binary: &ExprBinary, of: &[&Mutant]) {
        let (left, right) = (bytes(&*binary.left), bytes(&*binary.right));
        let sign = &self.source[bytes(&binary.op)];
        let parts = if sign.ends_with('=') {
            let begin = vec![text("(match "), Source(right), text(" { r => ")];
            choice(begin, of, |sign| vec![Source(left.clone()), text(format!(" {sign} r"))], sign)
        } else {
            let begin =
                vec![text("(match ("), Source(left), text(", "), Source(right), text(") { (l, r) => ")];
            choice(begin, of, |sign| vec![text(format!("l {sign} r"))], sign)
        };
        self.edit(bytes(binary), 1, of, parts);
    }
}

/// One of several operators, as the last part of a match with one arm.
fn choice(
    mut parts: Vec<EditPart>,
    of: &[&Mutant],
    with: impl Fn(&str) -> Vec<EditPart>,
    otherwise: &str,
) -> Vec<EditPart> {
    for mutant in of {
        parts.push(text(format!("if {} {{ ", active(mutant.id))));
        parts.push(Marked(EditKind::Replacement, mutant.id, with(&mutant.replacement)));
        parts.push(text(" } else "));
    }
    parts.push(text("{ "));
    parts.extend(with(otherwise));
    parts.push(text(" } })"));
    parts
}

/// Whether a condition holds a `let` of an `if` or a `while`.
fn lets(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => lets(&binary.left) || lets(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for EditFinder<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let operator = bytes(&binary.op);
        let of = self.of("BinaryOperator", |range| *range == operator);
        if !of.is_empty() {
            match binary.op {
                BinOp::And(_) | BinOp::Or(_) => self.joined(binary, &of),
                BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                    self.compared(binary, &of);
                }
                _ => self.computed(binary, &of),
            }
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        let operator = bytes(&unary.op);
        let of = self.of("UnaryOperator", |range| *range == operator);
        if let [only] = of[..] {
            let sign = &self.source[operator];
            let parts = vec![
                text("(match "),
                Source(bytes(&*unary.expr)),
                text(format!(" {{ x => if {} {{ x }} else {{ {sign}x }} }})", active(only.id))),
            ];
            self.edit(bytes(unary), 1, &of, parts);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (bytes(&*guarded.pat), Some(bytes(&*guarded.guard))),
            pattern => (bytes(pattern), None),
        };
        if let Some(guard) = guard.clone() {
            let of = self.of("MatchArmGuard", |range| *range == guard);
            if !of.is_empty() {
                let mut parts = vec![text("(")];
                for mutant in &of {
                    let begin = format!("if {} {{ {} }} else ", active(mutant.id), mutant.replacement);
                    parts.push(text(begin));
                }
                parts.extend([text("{ "), Source(guard.clone()), text(" })")]);
                self.edit(guard, 0, &of, parts);
            }
        }
        let of = self.of("MatchArm", |range| range.start == pattern.start);
        if let [only] = of[..] {
            let mut parts = vec![text(format!(" if !{}", active(only.id)))];
            if let Some(guard) = guard {
                parts.extend([text(" && ("), Source(guard), text(")")]);
            }
            parts.push(text(" "));
            self.edit(pattern.end..bytes(&arm.fat_arrow_token).start, 0, &of, parts);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, value: &'ast ExprStruct) {
        for field in &value.fields {
            let (whole, expr) = (bytes(field), bytes(&field.expr));
            let of = self.of("StructField", |range| range.start == whole.start);
            if let ([only], Some(rest)) = (&of[..], &value.rest) {
                let name = &self.source[bytes(&field.member)];
                let mut parts = vec![text(format!("{name}: if {} {{ ", active(only.id)))];
                if matches!(**rest, Expr::Path(_)) {
                    parts.extend([Source(bytes(&**rest)), text(format!(".{name}"))]);
                } else {
                    parts.extend([text("let rest: "), Source(bytes(&value.path)), text(" = ")]);
                    parts.extend([Source(bytes(&**rest)), text(format!("; rest.{name}"))]);
                }
                parts.extend([text(" } else { "), Source(expr), text(" }")]);
                self.edit(whole, 0, &of, parts);
            }
        }
        visit::visit_expr_struct(self, value);
    }
}
