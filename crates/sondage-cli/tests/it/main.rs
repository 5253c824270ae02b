//! The command as people and scripts run it.

mod archive;
mod arguments;
mod budget;
mod budget_processes;
mod call;
mod canaries;
mod doctor;
mod ensure;
mod export;
mod import;
mod import_kills;
mod import_memory;
mod invite;
mod json;
mod lists;
mod login;
mod mcp;
mod person;
mod reconcile;
mod results;
mod sandbox;
mod sqlite;
mod support;
mod survey;
mod sync;
mod webhooks;
