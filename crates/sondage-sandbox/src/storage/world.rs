//! The parts of the world that are stored.

use super::change::{ChangeWriter, Entity, Extent, Stored, read_value, unknown_place};
use crate::world::questionnaire;
use crate::world::{
    Distributor, Download, Interview, Member, MessageTemplate, Panel, PlatformState, SamplingProject, Survey,
    Tenant, WebHook, Workspace,
};
use serde_json::value::RawValue;
use std::io;

impl Entity for Workspace {}
impl Entity for MessageTemplate {}
impl Entity for SamplingProject {}
impl Entity for Distributor {}
impl Entity for WebHook {}
impl Entity for Download {}
impl Entity for Member {}
impl Entity for Interview {}

impl Entity for Survey {
    fn part(&mut self) -> Option<(&'static str, &mut dyn Stored)> {
        Some(("interviews", &mut self.interviews))
    }

    fn complete(&mut self, replaced: Option<Self>) {
        if let Some(replaced) = replaced {
            self.interviews = replaced.interviews;
        }
        if let Some(definition) = &self.definition {
            (self.variables, self.exits) = questionnaire::columns(definition);
        }
    }
}

impl Entity for Panel {
    fn part(&mut self) -> Option<(&'static str, &mut dyn Stored)> {
        Some(("members", &mut self.members))
    }

    fn complete(&mut self, replaced: Option<Self>) {
        if let Some(replaced) = replaced {
            self.members = replaced.members;
        }
    }
}

impl Tenant {
    fn parts(&mut self) -> [(&'static str, &mut dyn Stored); 14] {
        [
            ("workspaces", &mut self.workspaces),
            ("surveys", &mut self.surveys),
            ("panels", &mut self.panels),
            ("templates", &mut self.templates),
            ("samplingProjects", &mut self.sampling_projects),
            ("distributors", &mut self.distributors),
            ("reminders", &mut self.reminders),
            ("mails", &mut self.mails),
            ("optOuts", &mut self.opt_outs),
            ("bounces", &mut self.bounces),
            ("webHooks", &mut self.web_hooks),
            ("incentives", &mut self.incentives),
            ("artifacts", &mut self.artifacts),
            ("downloads", &mut self.downloads),
        ]
    }
}

impl Stored for PlatformState {
    fn write(&mut self, out: &mut ChangeWriter<'_>, extent: Extent) -> io::Result<()> {
        self.tenants.iter_mut().try_for_each(|tenant| {
            out.at(tenant.name.clone(), |out| {
                out.set_if_new(tenant)?;
                let mut parts = tenant.parts().into_iter();
                parts.try_for_each(|(name, part)| out.at(name, |out| part.write(out, extent)))
            })
        })
    }

    fn read(&mut self, path: &[String], value: Option<&RawValue>) -> Result<(), String> {
        let [name, path @ ..] = path else { return Err(unknown_place()) };
        let tenant = self.tenants.iter_mut().find(|tenant| tenant.name == *name);
        let [part, path @ ..] = path else {
            let new: Tenant = read_value(value.ok_or_else(unknown_place)?)?;
            match tenant {
                Some(tenant) => tenant.set_account(new),
                None => self.tenants.push(new),
            }
            return Ok(());
        };
        let parts = tenant.ok_or_else(unknown_place)?.parts();
        let part = parts.into_iter().find(|(name, _)| name == part);
        part.ok_or_else(unknown_place)?.1.read(path, value)
    }

    fn begin_marks(&mut self) {
        for tenant in &mut self.tenants {
            tenant.parts().into_iter().for_each(|(_, part)| part.begin_marks());
        }
    }
}
