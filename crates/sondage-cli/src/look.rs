//! How results look on a terminal: aligned tables, colours, and the groups of the commands. In a pipe, cells are separated by tabs
//! and nothing is coloured; `NO_COLOR` is respected.

use crate::progress;
use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};
use sondage::error::Text;
use std::io::{self, IsTerminal as _, Write};

/// What is done, wrong, to be noticed, and beside the point.
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const NOTE: Style = AnsiColor::Yellow.on_default();
pub const ASIDE: Style = Style::new().dimmed();
pub const BOLD: Style = Style::new().bold();

/// Columns of a terminal that does not tell its width.
const WIDTH: u16 = 100;

/// A list of rows.
pub struct Listing {
    is_terminal: bool,
    columns: Vec<String>,
    /// Rows that are not shown yet: their widths are known at the end.
    rows: Vec<Vec<String>>,
}

impl Listing {
    /// A list on standard output. Only a terminal shows the names of the columns.
    pub fn new(columns: &[&str]) -> Self {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Self { is_terminal: io::stdout().is_terminal(), columns, rows: Vec::new() }
    }

    /// The same, and a pipe gets the names of the columns, too: they are data.
    pub fn with_names(out: &mut impl Write, columns: &[&str]) -> io::Result<Self> {
        let mut listing = Self::new(columns);
        if !listing.is_terminal {
            listing.row(out, columns)?;
        }
        Ok(listing)
    }

    /// Adds a row. Control characters from the service are escaped, so they cannot move the terminal's cursor.
    pub fn row(&mut self, out: &mut impl Write, cells: &[&str]) -> io::Result<()> {
        let cells: Vec<String> =
            cells.iter().map(|cell| Text::from((*cell).to_owned()).to_string()).collect();
        if self.is_terminal {
            self.rows.push(cells);
            return Ok(());
        }
        progress::end();
        writeln!(out, "{}", cells.join("\t"))
    }

    /// Ends the list.
    pub fn end(self, out: &mut impl Write) -> io::Result<()> {
        if !self.is_terminal {
            return Ok(());
        }
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
        let columns = self.columns.into_iter().map(|name| Text::from(name).to_string());
        table.set_width(width()).set_header(columns.collect::<Vec<_>>()).add_rows(self.rows);
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        let text = table.trim_fmt();
        let (header, rows) = text.split_once('\n').unwrap_or((&text, ""));
        progress::end();
        writeln!(out, "{BOLD}{header}{BOLD:#}\n{rows}")
    }
}

/// The columns of the terminal.
pub fn width() -> u16 {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0)
}

/// The commands by what one wants to do.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Start", &["sandbox", "login", "logout", "doctor"]),
    ("Read", &["surveys", "survey", "panel", "members", "templates", "distributors", "budget"]),
    (
        "Results",
        &["results", "distribution", "field-report", "codebook", "compare", "export", "sync", "archive"],
    ),
    ("Write", &["import", "invite", "create-and-invite", "remind", "person"]),
    ("Find out what happened", &["reconcile", "journal"]),
    ("For programs", &["call", "types", "webhooks", "mcp"]),
    ("About this command", &["completions", "man", "help"]),
];

/// The command with its subcommands in groups.
pub fn grouped(command: clap::Command) -> clap::Command {
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    let about = |name: &str| -> String {
        let summary = command.find_subcommand(name).and_then(clap::Command::get_about);
        summary.map_or_else(|| "Describes a command and its options".to_owned(), ToString::to_string)
    };
    let exists = |name: &&&str| {
        **name == "help" || command.find_subcommand(name).is_some_and(|command| !command.is_hide_set())
    };
    for (group, names) in GROUPS {
        template.extend([format!("{BOLD}{group}:{BOLD:#}\n")]);
        for name in names.iter().filter(exists) {
            template.push_str(&entry(name, &about(name), width().into()));
        }
        template.push('\n');
    }
    template.extend([format!("{BOLD}Options:{BOLD:#}\n{{options}}{{after-help}}")]);
    command.help_template(template)
}

/// A name, and beside it a text that is wrapped.
fn entry(name: &str, text: &str, width: usize) -> String {
    const INDENT: usize = 22;
    format!("  {name:<20}{}\n", wrapped(text, INDENT, width.max(2 * INDENT)))
}

/// A text in lines of at most `width` characters, of which all but the first are indented. A word that is longer, such as an address,
/// stays whole.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let (mut lines, mut at) = (String::new(), indent);
    for (number, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if number > 0 && at + 1 + length > width {
            lines.extend([format!("\n{:indent$}{word}", "")]);
            at = indent + length;
            continue;
        }
        let space = if number > 0 { " " } else { "" };
        lines.extend([space, word]);
        at += space.len() + length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_terminal_gets_an_aligned_table_and_a_pipe_gets_tabs() {
        for (is_terminal, expected) in [
            (true, "Id    Name\n7     Müller\n1004  \\u{1b}[31mred\n"),
            (false, "7\tMüller\n1004\t\\u{1b}[31mred\n"),
        ] {
            let mut listing = Listing::new(&["Id", "Name"]);
            listing.is_terminal = is_terminal;
            let mut out = Vec::new();
            listing.row(&mut out, &["7", "Müller"]).unwrap();
            listing.row(&mut out, &["1004", "\u{1b}[31mred"]).unwrap();
            listing.end(&mut out).unwrap();
            assert_eq!(anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string(), expected);
        }
    }

    #[test]
    fn each_command_is_in_one_group() {
        let command = <crate::Command as clap::CommandFactory>::command();
        let all: BTreeSet<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let listed: Vec<&str> = listed.into_iter().filter(|name| *name != "help").collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(listed.len(), all.len());
    }

    #[test]
    fn a_long_text_is_wrapped_beside_its_name() {
        assert_eq!(entry("man", "one two three", 44), "  man                 one two three\n");
        let wrapped = entry("man", "Writes the manual pages of all commands", 44);
        assert_eq!(
            wrapped,
            "  man                 Writes the manual\n                      pages of all commands\n"
        );
    }
}
