//! The jobs over HTTP, against the sandbox and against what can happen to it.

mod archive;
mod duplicates;
mod examples;
mod field_report;
mod guidelines;
mod import_matrix;
mod imports;
mod invitation_panels;
mod invitations;
mod journal_stores;
mod killed_writes;
mod newcomers;
mod persons;
mod plan_matrix;
mod plans;
mod send_once;
mod story;
mod support;
mod trace;
mod update;
