//! Events caused by API operations are delivered like those that originate on the platform.

use super::{DEADLINE, Receiver, client, sandbox, subscribe, wait};
use sondage::model::*;
use sondage::webhook::{Entity, Hook, Strategy};

#[test]
fn what_operations_cause_is_told() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    for event in EventType::KNOWN {
        subscribe(&client, &hook, &receiver, EventType::from(*event), "*");
    }
    let panel = sandbox.panel_id();
    let (survey, template) = (sandbox.survey_id(), sandbox.message_template_id());
    let api = client.clone();
    let id = wait(async move {
        let new = NewMember::of([("Email", "nobody@nowhere.invalid")]);
        let created = api.create_members(CreateMembersRequest::new(panel, vec![new])).await?;
        let id = created.members_ids[0].expect("created");
        let invite = InviteMembersRequest::new(survey, panel, template).channel("Email").member_ids(vec![id]);
        api.invite_members(invite).await?;
        for operation in ["Add", "Delete"] {
            let email = EmailItem::new("nobody@nowhere.invalid", operation);
            api.write_opt_out_list(WriteOptOutListRequest::new().panel_id(panel).emails(vec![email])).await?;
        }
        let change = MemberChange::of(id, [("FirstName", "Nemo")]);
        api.update_members(UpdateMembersRequest::new(panel, vec![change])).await?;
        api.delete_members(DeleteMembersRequest::new(panel, vec![id], false)).await?;
        let close = ExecuteWorkflowTransitionRequest::new("SurveyDesign", "Closed").survey_id(survey);
        api.execute_workflow_transition(close).await?;
        Ok(id)
    })
    .unwrap();
    assert!(sandbox.deliveries().settle(DEADLINE));
    let events = events.lock().unwrap();
    let mut told: Vec<_> =
        events.iter().filter_map(|event| event.event_type.as_ref()).map(EventType::as_str).collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "HardBounce",
            "OptOutAdded",
            "OptOutRemoved",
            "PanelMemberAdded",
            "PanelMemberRemoved",
            "PanelMemberUpdated",
            "SurveyClosed"
        ]
    );
    for event in events.iter() {
        match &event.entity {
            Entity::Member(member) => {
                assert_eq!(member.id, Some(id));
                let fields = member.fields.as_ref().expect("the fields of the member");
                assert_eq!(fields["Email"].value, "nobody@nowhere.invalid".into());
            }
            Entity::Bounce(bounce) => assert_eq!(bounce.panel_member_id, Some(id)),
            Entity::OptOut(opt_out) => assert_eq!(opt_out.email.as_deref(), Some("nobody@nowhere.invalid")),
            Entity::Survey(closed) => assert_eq!(closed.id, Some(survey)),
            other => panic!("{other:?}"),
        }
    }
}

/// An opt-out of a workspace applies to the members of its panels (assumed): the subscribers get one event for each.
#[test]
fn an_opt_out_of_a_workspace_is_told_for_each_member_whom_it_reaches() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    let (panel, workspace) = (sandbox.panel_id(), sandbox.workspace_id());
    let api = client.clone();
    let id = wait(async move {
        let new = NewMember::of([("Email", "nobody@nowhere.invalid")]);
        let created = api.create_members(CreateMembersRequest::new(panel, vec![new])).await?;
        Ok(created.members_ids[0].expect("created"))
    })
    .unwrap();
    for event in ["OptOutAdded", "OptOutRemoved"] {
        subscribe(&client, &hook, &receiver, EventType::from(event), &panel.to_string());
    }
    wait(async move {
        for operation in ["Add", "Add", "Delete", "Delete"] {
            let email = EmailItem::new("Nobody@nowhere.invalid", operation);
            let write = WriteOptOutListRequest::new().workspace_id(workspace).emails(vec![email]);
            client.write_opt_out_list(write).await?;
        }
        Ok(())
    })
    .unwrap();
    assert!(sandbox.deliveries().settle(DEADLINE));
    let events = events.lock().unwrap();
    let mut told: Vec<_> =
        events.iter().filter_map(|event| event.event_type.as_ref()).map(EventType::as_str).collect();
    told.sort_unstable();
    assert_eq!(told, ["OptOutAdded", "OptOutRemoved"], "doing it twice has the same effect as once");
    for event in events.iter() {
        let Entity::OptOut(opt_out) = &event.entity else { panic!("{:?}", event.entity) };
        assert_eq!((opt_out.panel_id, opt_out.panel_member_id), (Some(panel), Some(id)));
    }
}
