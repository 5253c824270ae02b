//! Typical uses of a service: a table, batches, a file.

use crate::process::{cpu, memory};
use sondage::config::{ClientBuilder, Environment};
use sondage::{Client, internals::runtime};
use sondage_data::Tables;
use std::path::PathBuf;
use std::time::Instant;

/// A client of the service at this port.
pub fn client(port: &str, page_size: i64) -> Client {
    builder(port).page_size(page_size).build().expect("a client")
}

/// Its settings.
pub fn builder(port: &str) -> ClientBuilder {
    let address = format!("http://127.0.0.1:{port}");
    ClientBuilder::new()
        .environment(Environment::empty())
        .tenant("bench")
        .base_url(address.clone())
        .auth_url(address)
        .client_id("bench")
        .client_secret("bench")
}

/// Downloads a survey and returns the number of rows, CPU and wall seconds, and the peak memory of the process.
pub fn download(what: &str, port: &str, survey: i64, page_size: i64) {
    let query = client(port, page_size).interviews(survey).without_code_plan();
    let (began, began_cpu) = (Instant::now(), cpu());
    let what = what.to_owned();
    let rows = runtime::block_on(async move {
        let mut rows = 0;
        match &*what {
            "table" => rows = query.table().await?.num_rows(),
            "batches" => {
                let mut batches = query.batches()?;
                while let Some(table) = batches.next().await? {
                    rows += table.num_rows();
                }
            }
            _ => {
                let path = PathBuf::from(what);
                rows = query.export(&path).resume(false).run().await?.rows;
                std::fs::remove_file(path).expect("the file is there");
            }
        }
        Ok(rows)
    })
    .expect("no error");
    let (cpu, wall) = ((cpu() - began_cpu).as_secs_f64(), began.elapsed().as_secs_f64());
    println!("{rows} {cpu} {wall} {}", memory("VmHWM:"));
}
