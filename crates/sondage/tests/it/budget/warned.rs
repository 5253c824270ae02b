//! Warnings: at 80 and at 100 %, once each a day, by whichever process reaches the limit.

use super::*;
use crate::support::log::LogCapture;

/// Warnings about a limit that only one test uses.
fn warnings(log: &LogCapture, limit: &str) -> Vec<String> {
    let lines = log.lines().into_iter();
    let about = lines.filter(|line| line.level == log::Level::Warn && line.message.contains(limit));
    about.map(|line| line.message).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn eighty_and_a_hundred_percent_are_said_once() {
    let log = LogCapture::begin();
    let (scene, folder) = (Scene::new().await, Folder::new());
    let builder = scene.builder().budget_folder(&folder.0).budget_calls(11_u32);
    // Two paths of one folder, which count like two processes.
    let clients =
        [builder.clone().build().unwrap(), builder.budget_folder(folder.0.join(".")).build().unwrap()];
    for call in 0..14 {
        scene.read(&clients[call % 2]).await.unwrap();
        let said = warnings(&log, " of 11.").len();
        assert_eq!(said, usize::from(call >= 8) + usize::from(call >= 10), "after call {}", call + 1);
    }
    let said = warnings(&log, " of 11.");
    let ends = clients[0].budget().ends;
    assert_eq!(
        said[0],
        format!(
            "80 % of the calls of the day are used by demo: 9 of 11. The day ends at {ends}; a warning follows at 100 %."
        )
    );
    assert_eq!(
        said[1],
        format!(
            "100 % of the calls of the day are used by demo: 11 of 11. The day ends at {ends}; calls go on."
        )
    );

    let bytes =
        scene.builder().budget_folder(folder.0.join("bytes")).budget_bytes(1_201_u64).build().unwrap();
    for _ in 0..30 {
        scene.read(&bytes).await.unwrap();
    }
    let said = warnings(&log, " of 1201.");
    assert!(said.len() <= 2 && said.last().unwrap().starts_with("100 % of the bytes"), "{said:?}");
    // The reason why a file cannot be used is logged once, too, for as long as it lasts.
    let nowhere = scene.builder().budget_folder(folder.0.join("bytes").join("demo@x")).build().unwrap();
    let file = nowhere.budget().file.unwrap();
    std::fs::write(&file, "not a budget").unwrap();
    for _ in 0..3 {
        scene.read(&nowhere).await.unwrap();
    }
    let said = warnings(&log, &file.display().to_string());
    assert!(said.len() == 1 && said[0].ends_with("this process counts its calls in memory"), "{said:?}");
}
