//! The commands of the repository: `cargo xtask` lists them.

/// Appends formatted text to a `String`, which cannot fail.
macro_rules! put {
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        let _ = $out.write_fmt(format_args!($($text)+));
    }};
}

mod background;
mod bench;
mod browser;
mod campaign;
mod crates;
mod files;
mod java;
mod jobs;
mod kotlin;
mod lint;
mod mobile;
mod node;
mod package;
mod platform;
mod process;
mod programs;
mod python;
mod rust;
mod site;
mod stage;
mod surface;
mod swift;
mod test;
mod tidy;
mod toolchain;
mod workspace;

use std::error::Error;
use std::process::ExitCode;

/// The result of every step: nothing, or an error message for a person.
type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo [LANGUAGE]    a survey platform, seen from Python, or from node or kotlin
  demo --console     the first one, which then stays up, to be seen in a browser, until Ctrl-C
  test [GROUP ...]   everything that CI runs, or only some groups: lint rust python programs node kotlin swift spark browser
                     site demo, and campaign, systems, macos, lakes and office, which run only when they are named
  lint               formatting, clippy, licences, house rules, generated files, documentation
  tidy               the house rules alone
  surface [--check]  writes what the languages and docs/ say about the tables of the core
  site               the documents as pages of the web, with the references of five languages and a search, into target/site
  pictures           runs the notebooks and stores what they show; writes docs/pictures
  campaign [--in LANGUAGE | --long LANGUAGE | --client REVISION | --defects [NAME ...]]
                     the long form of the campaign against a hostile service, which writes docs/reliability.md; or its short
                     form through one client, against the client of a revision, or against defects, which it has to detect
  jobs [--from CELL] [PART ...]
                     the long form of what is done to imports, plans, unknown outcomes and the day's budget, or parts of it;
                     prints the figures of docs/reliability.md
  bench [--quick] [PART ...]
                     what tables, calls and memory cost beside other ways; prints the tables of docs/benchmarks.md
  publish            packs and builds the crates as a registry would get them; publishes nothing
  package KIND ... [PLATFORM ...]
                     makes what users install, optimised, checks it and installs it: python, node, cli, crates, kotlin,
                     android, swift or all; into target/packages; writes its rows of docs/packages.md
  package kotlin-debug | deploying | times | twice
                     the jars from what the tests have built, for this machine; the commands of docs/deploying.md; what
                     `pip install .` costs in a clone; a wheel, built again in a clone and compared

What a command needs it installs under target/, never into your system.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["demo", "node"] => node::demo(),
        ["demo", "kotlin"] => kotlin::demo(),
        ["demo", words @ ..] if matches!(words, [] | ["--console"]) => python::show_demo(words),
        ["package", kinds @ ..] => package::run(kinds),
        ["test", groups @ ..] => test::run(groups),
        ["lint"] => test::run(&["lint"]),
        ["bench", rest @ ..] => bench::run(rest),
        ["campaign", rest @ ..] => campaign::run(rest),
        ["jobs", rest @ ..] => jobs::run(rest),
        ["site"] => site::run(true),
        ["pictures"] => browser::pictures(),
        ["publish"] => crates::publish().map(drop),
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
