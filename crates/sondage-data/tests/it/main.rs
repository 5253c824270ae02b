//! Tables and files, from pages of the service to what other programs read.

mod ahead;
mod answers;
mod batches;
mod blocking;
mod ceilings;
mod compare;
mod concat;
mod create;
mod crosstab;
mod csv_files;
mod declared;
mod delta;
mod differential;
mod export;
mod files;
mod folder;
mod foreign;
mod hostile;
mod languages;
mod lists;
mod meaning;
mod members;
mod prediction;
mod quality;
mod readable;
mod scales;
mod service;
mod shapes;
mod stack;
mod support;
mod survey;
mod sync;
mod unavailable;
mod update;
#[cfg(feature = "xlsx")]
mod workbooks;
