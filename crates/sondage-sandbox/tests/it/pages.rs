//! Paging: every row once, under either number of the first page, in any order.

use crate::http::{Api, members};
use serde_json::{Value, json};
use sondage_sandbox::{Sandbox, TotalCount};

fn page(api: &Api, sandbox: &Sandbox, paging: Value) -> (Vec<i64>, i64) {
    let mut request = members(sandbox);
    request["paging"] = paging;
    let answer = api.ok("ReadMemberList", &request);
    let ids =
        answer["members"].as_array().unwrap().iter().map(|member| member["id"].as_i64().unwrap()).collect();
    (ids, answer["totalCount"].as_i64().unwrap())
}

#[test]
fn pages_hold_every_member_once() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for first in [1, 0] {
        sandbox.change_profile(|profile| profile.first_page = first);
        let mut all = Vec::new();
        for number in first..first + 5 {
            let (ids, total) =
                page(&api, &sandbox, json!({ "pageSize": 60, "page": number, "orderField": "Id" }));
            assert_eq!(total, 200);
            all.extend(ids);
        }
        assert_eq!(all.len(), 200);
        assert!(all.is_sorted_by(|a, b| a < b));
        let mut request = members(&sandbox);
        request["paging"] = json!({ "pageSize": 60, "page": first - 1 });
        assert!(api.refused("ReadMemberList", &request).2.contains("paging.page"));
    }
}

#[test]
fn order_can_be_by_any_field_in_both_directions_and_is_stable() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for field in ["Division", "Email", "CreatedAt", "updatedAt", "CellPhoneNumber"] {
        let order = |direction: &str, size: i32| {
            let pages = (1..=200 / size).map(|number| {
                let paging = json!({ "pageSize": size, "page": number, "orderField": field, "orderDirection": direction });
                page(&api, &sandbox, paging).0
            });
            pages.flatten().collect::<Vec<_>>()
        };
        let (up, down) = (order("Ascending", 200), order("Descending", 200));
        assert_eq!(order("Ascending", 50), up, "{field}: pages of any size have the same order");
        let (mut a, mut b) = (up.clone(), down.clone());
        a.sort_unstable();
        b.sort_unstable();
        assert_eq!(a, b, "{field}: the same members");
        assert_ne!(up, down, "{field}");
    }
    let mut request = members(&sandbox);
    request["paging"] = json!({ "pageSize": 5, "page": 1, "orderField": "Nonsense" });
    assert!(api.refused("ReadMemberList", &request).2.contains("orderField"));
}

#[test]
fn page_sizes_have_limits() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for size in [0, -1, 10_001, i64::MAX] {
        let mut request = members(&sandbox);
        request["paging"] = json!({ "pageSize": size, "page": 1 });
        assert!(api.refused("ReadMemberList", &request).2.contains("paging.pageSize"), "{size}");
    }
    assert_eq!(page(&api, &sandbox, json!({ "pageSize": 10_000, "page": i32::MAX })).0, Vec::<i64>::new());
}

#[test]
fn total_count_is_what_the_profile_says() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for (setting, expected) in [(TotalCount::True, 200), (TotalCount::Page, 30), (TotalCount::Zero, 0)] {
        sandbox.change_profile(|profile| profile.total_count = setting);
        assert_eq!(page(&api, &sandbox, json!({ "pageSize": 30, "page": 2 })).1, expected);
    }
}

#[test]
fn ten_thousand_members_come_unpaged_and_one_more_does_not() {
    let sandbox = Sandbox::builder().extra_members(9_800).start_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut request = members(&sandbox);
    request["fieldsToDownload"] = json!(["Email"]);
    assert_eq!(api.ok("ReadMemberList", &request)["members"].as_array().unwrap().len(), 10_000);
    let one = json!({ "fields": { "Email": crate::http::field("Email", "String", "one.more@example.com") } });
    api.ok("CreateMembers", &json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [one] }));
    assert_eq!(api.refused("ReadMemberList", &request).1, "PagingRequired");
    request["paging"] = json!({ "pageSize": 10_000, "page": 2 });
    assert_eq!(api.ok("ReadMemberList", &request)["members"].as_array().unwrap().len(), 1);
}

#[test]
fn every_paged_operation_pages() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    for row in sondage::operations::ALL.iter().filter(|row| row.pages.is_some()) {
        let request = json!({
            "tenant": "demo", "panelId": sandbox.panel_id(), "surveyId": sandbox.feedback_survey_id(),
            "workspaceId": sandbox.workspace_id(), "language": "de", "paging": { "pageSize": 1, "page": 1 },
        });
        let wanted = |name: &str| row.request.fields.iter().any(|field| field.wire == name);
        let fields = request.as_object().unwrap().iter().filter(|(name, _)| wanted(name));
        let mut request: Value = fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let name = row.response.fields.iter().find(|field| Some(field.name) == row.pages).unwrap().wire;
        let answer = api.ok(row.name, &request);
        let rows = answer[name].as_array().unwrap_or_else(|| panic!("{}: {answer}", row.name)).len();
        let nothing_yet = matches!(row.name, "ReadDistributorList" | "ReadBounceList");
        assert_eq!(rows, usize::from(!nothing_yet), "{}", row.name);
        request["paging"]["page"] = json!(10_000);
        assert_eq!(api.ok(row.name, &request)[name], json!([]), "{}", row.name);
    }
}
