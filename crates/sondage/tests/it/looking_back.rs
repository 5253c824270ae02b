//! Pages that can be read again, so that the ids of their rows need not be kept.

use serde::Serialize;
use sondage::model::{Identified, Identity};
use sondage::paging::{Page, Pager, PagerSettings};
use sondage::{Error, Result};
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug, Serialize)]
struct Named(String);

impl Identified for Named {
    const ORDER: Option<&'static str> = Some("Id");

    fn identity(&self) -> Option<Identity<'_>> {
        Some(Identity::Text(&self.0))
    }
}

fn named(page: &[&str]) -> Vec<Named> {
    page.iter().map(|name| Named((*name).to_owned())).collect()
}

/// A list of these pages, of three rows each.
fn pager(pages: &'static [[&str; 3]]) -> Pager<Vec<Named>> {
    Pager::new(PagerSettings::new("ReadList", 3), move |paging| {
        let rows = named(&pages[usize::try_from(paging.page - 1).expect("a page")]);
        async move { Ok(Page { rows, count: None, bytes: 0 }) }
    })
}

async fn next(pager: &mut Pager<Vec<Named>>) -> Result<Vec<String>> {
    let page = pager.next().await?.expect("there is more");
    Ok(page.into_iter().map(|named| named.0).collect())
}

/// Ascending ids are never looked up. An id out of order is looked up on the page where it could be, and a failed lookup
/// loses no row.
#[tokio::test]
async fn pages_are_looked_at_again_only_where_a_row_may_have_been() {
    let mut pager = pager(&[["a", "b", "d"], ["e", "f", "g"], ["b", "h", "i"], ["c", "j", "dd"]]);
    let looked: Arc<Mutex<Vec<u64>>> = Arc::default();
    let noted = Arc::clone(&looked);
    pager.verify_with(move |page| {
        let mut noted = noted.lock().expect("nobody panics");
        noted.push(page);
        if noted.len() == 1 {
            return Err(Error::invalid_argument("the disk has gone"));
        }
        Ok(named(&["a", "b", "d"]))
    });
    assert_eq!(next(&mut pager).await.expect("rows"), ["a", "b", "d"]);
    assert_eq!(next(&mut pager).await.expect("rows"), ["e", "f", "g"]);
    assert!(looked.lock().expect("nobody panics").is_empty());
    assert!(next(&mut pager).await.is_err());
    assert_eq!(next(&mut pager).await.expect("rows"), ["h", "i"]);
    // One id between the ids of a page, and one between two pages: both are new.
    assert_eq!(next(&mut pager).await.expect("rows"), ["c", "j", "dd"]);
    assert_eq!(*looked.lock().expect("nobody panics"), [0, 0]);
}
