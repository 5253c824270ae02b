//! What the repository can do: `cargo xtask` lists it.

mod demo;
mod lint;
mod node;
mod process;
mod python;
mod rust;
mod stage;
mod surface;
mod test;
mod tidy;
mod workspace;

use std::error::Error;
use std::process::ExitCode;

/// What every step answers: nothing, or why it failed as a person should read it.
type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo [node]        a survey platform in a process, seen from Python or Node.js
  test [GROUP ...]   everything that CI runs, or only some groups: lint rust python node demo
  lint               formatting, clippy, licences, house rules, generated files, documentation
  tidy               the house rules alone
  surface [--check]  writes what the languages and the README say about the operations

What a command needs it installs under target/, never into your system.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["demo"] => demo::run(),
        ["demo", "node"] => node::demo(),
        ["test", groups @ ..] => test::run(groups),
        ["lint"] => test::run(&["lint"]),
        ["tidy"] => tidy::run(),
        ["surface", rest @ ..] => surface::run(rest),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
