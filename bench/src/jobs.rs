//! The overhead of jobs compared with plain calls: an import compared with a creation of the same rows, and calls that the
//! daily budget counts.

use crate::download::{builder, client};
use crate::process::cpu;
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest};
use sondage::{Client, internals::runtime};
use sondage_data::{Tables, csv_rows, row_stream};
use sondage_jobs::Jobs as _;
use sondage_jobs::RowStatus;
use sondage_jobs::options::ImportOptions;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// The rows of a call.
const CHUNK: usize = 1_000;

/// Creates members with calls, creates them from a file, and imports them: the same rows into an empty panel, alternately. Prints
/// the CPU seconds of the best run of each.
pub fn import(port: &str, rows: u32, times: usize) {
    let folder = std::env::temp_dir().join(format!("sondage-bench-jobs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (people, journal) = (folder.join("people.csv"), folder.join("journal"));
    let mut text = String::from("Email,FirstName,City,Age\n");
    for row in 0..rows {
        let _ = writeln!(text, "person{row}@bench.example,Zoë{row},Zürich,{}", row % 90);
    }
    std::fs::write(&people, text).expect("a file");
    let client = client(port, 1000);
    let mut best = [Duration::MAX; 3];
    for _ in 0..times {
        let taken = [
            called(&client, &people, rows),
            created(&client, &people, rows),
            imported(&client, &people, &journal, rows),
        ];
        best = std::array::from_fn(|way| best[way].min(taken[way]));
        std::fs::remove_file(&journal).expect("a journal");
    }
    std::fs::remove_dir_all(folder).expect("a folder");
    println!("{}", best.map(|time| time.as_secs_f64().to_string()).join(" "));
}

/// What a program does that has no job: it reads the file, and calls the operation for each thousand rows.
fn called(client: &Client, people: &Path, rows: u32) -> Duration {
    let began = cpu();
    let text = std::fs::read_to_string(people).expect("a file");
    let mut lines = text.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().expect("names").collect();
    let members: Vec<NewMember> = lines.map(|line| NewMember::of(names.iter().copied().zip(line))).collect();
    let (client, mut members) = (client.clone(), members.into_iter());
    let created = runtime::block_on(async move {
        let mut created = 0;
        while members.len() > 0 {
            let request = CreateMembersRequest::new(1, members.by_ref().take(CHUNK));
            created += client.create_members(request).await?.members_ids.iter().flatten().count();
        }
        Ok(created)
    });
    assert_eq!(created.expect("ids"), rows as usize);
    cpu() - began
}

fn created(client: &Client, people: &Path, rows: u32) -> Duration {
    let (creation, people) = (client.create_members_from(1), csv_rows(people).expect("a file"));
    let began = cpu();
    let report = runtime::block_on(async move { creation.run(people).await }).expect("a report");
    assert_eq!(report.count(RowStatus::Created), rows as usize, "{report}");
    cpu() - began
}

fn imported(client: &Client, people: &Path, journal: &Path, rows: u32) -> Duration {
    let import = client.import_members(ImportOptions::new(1, "Email").journal(journal));
    let people = row_stream(Box::new(csv_rows(people).expect("a file"))).expect("rows");
    let began = cpu();
    let report = runtime::block_on(async move { import.run_stream(people).await }).expect("a report");
    assert_eq!(report.count(RowStatus::Created), rows as usize, "{report}");
    cpu() - began
}

/// Makes calls that are not counted, counted in memory, and counted in a file, alternately. Prints the CPU microseconds of a
/// call in the best round of each.
pub fn budget(port: &str, calls: u32, times: usize) {
    let folder = std::env::temp_dir().join(format!("sondage-bench-budget-{}", std::process::id()));
    let builder = || builder(port).budget_loopback(true).budget_calls(u32::MAX).budget_bytes(u64::MAX);
    let ways = [builder().budget_loopback(false), builder(), builder().budget_folder(&folder)];
    let clients = ways.map(|way| way.build().expect("a client"));
    let mut best = [Duration::MAX; 3];
    for _ in 0..times {
        for (client, best) in clients.iter().zip(&mut best) {
            let client = client.clone();
            let began = cpu();
            runtime::block_on(async move {
                for _ in 0..calls {
                    client.read_panel(ReadPanelRequest::new(1)).await?;
                }
                Ok(())
            })
            .expect("no error");
            *best = (*best).min((cpu() - began) / calls);
        }
    }
    // The last client may still write to the folder.
    drop(clients);
    let _ = std::fs::remove_dir_all(folder);
    println!("{}", best.map(|time| (time.as_secs_f64() * 1e6).to_string()).join(" "));
}
