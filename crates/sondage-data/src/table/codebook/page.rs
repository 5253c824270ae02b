//! The codebook as a page of HTML: one file without scripts, which can be printed.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Codebook, CodebookEntry, CodebookLine, shown};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}\
h2{margin-top:3rem;border-bottom:2px solid}h3{margin:2rem 0 0;font-family:ui-monospace,monospace}\
p{margin:.25rem 0;overflow-wrap:anywhere}.type,.remark{color:#595959}table{border-collapse:collapse;margin:.5rem 0;width:100%}\
th,td{text-align:left;padding:.15rem .6rem;border-bottom:1px solid #ccc;vertical-align:top}td{overflow-wrap:anywhere}\
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.missing td{color:#595959;font-style:italic}\
.bar{width:30%}.bar div{background:#2f6f9f;height:.8rem}@media print{section{break-inside:avoid}}";

impl Codebook {
    /// The codebook as a page of HTML, without scripts: a heading for each section, and for each column its question and a table of
    /// its codes, with bars if frequencies were counted.
    pub fn to_html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { "Codebook" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    h1 { "Codebook" }
                    @for (heading, entry) in self.in_sections() {
                        @if let Some(section) = heading { h2 dir="auto" { (visible(section)) } }
                        (column(entry))
                    }
                }
            }
        };
        page.into_string()
    }
}

/// The text with pictures of control characters, which HTML does not allow.
fn visible(text: &str) -> String {
    text.chars().map(|sign| if sign.is_ascii_whitespace() { sign } else { shown(sign) }).collect()
}

fn column(entry: &CodebookEntry) -> Markup {
    let (text, types, lines) = (entry.text(), entry.types(), entry.lines());
    html! {
        section {
            h3 { (visible(&entry.variable)) }
            @if !text.is_empty() { p dir="auto" { (visible(&text)) } }
            @if !types.is_empty() { p.type { (types) } }
            @if let Some(remark) = entry.remark() { p.remark { (remark) } }
            @if !lines.is_empty() { (table(&lines)) }
        }
    }
}

fn table(lines: &[CodebookLine<'_>]) -> Markup {
    let is_counted = lines.iter().any(|line| line.frequency.is_some());
    let is_weighted = lines.iter().any(CodebookLine::is_weighted);
    html! {
        table {
            thead {
                tr {
                    th { "Code" } th { "Label" }
                    @if is_counted { th.number { "n" } }
                    @if is_weighted { th.number { "weighted n" } }
                    @if is_counted { th.number { "%" } th.number { "valid %" } th.bar { "" } }
                }
            }
            tbody {
                @for line in lines {
                    tr class=[line.frequency.is_some_and(|frequency| frequency.missing).then_some("missing")] {
                        td { (visible(&line.code)) }
                        td dir="auto" { (visible(line.label)) }
                        @if let Some(frequency) = line.frequency {
                            td.number { (frequency.n) }
                            @if let Some(weighted) = frequency.weighted_n { td.number { (format!("{weighted:.1}")) } }
                            td.number { (format!("{:.1}", frequency.percent)) }
                            td.number { @if let Some(share) = frequency.valid_percent { (format!("{share:.1}")) } }
                            td.bar {
                                @if let Some(share) = frequency.valid_percent { div style=(format!("width:{share:.1}%")) {} }
                            }
                        } @else if is_counted {
                            td colspan=(if is_weighted { 5 } else { 4 }) {}
                        }
                    }
                }
            }
        }
    }
}
