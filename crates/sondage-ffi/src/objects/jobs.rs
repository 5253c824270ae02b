//! The jobs of a client.

use crate::call::args::Attachment;
use crate::language::{ArgResult, Language};
use crate::methods::{jobs, kinds};
use crate::objects::client::Client;
use crate::objects::message::{self, SendPlan};
use crate::objects::watch::Observer;
use sondage::job::Job as _;
use sondage_jobs::Jobs as _;
use sondage_jobs::options::{
    ArchiveOptions, CreateAndInviteOptions, DistributionOptions, ErasePersonOptions, ExportPersonOptions,
    FieldReportOptions, InviteOptions, PlanErasePersonOptions, PlanExportPersonOptions, ReconcileOptions,
    RedeemOptions, RemindOptions, SendMailOptions, SendOnceOptions, TransitionOptions,
};
use sondage_jobs::{
    ArchiveProgress, ArchiveReport, Distribution, ErasePlan, EraseReceipt, FieldReport, PersonExport,
    PersonExportPlan, Reconciled,
};

impl<L: Language> jobs::client::Methods<L> for Client {
    fn archive_answers(
        &self,
        options: ArchiveOptions,
        progress: Observer<ArchiveProgress>,
    ) -> ArgResult<kinds::Call<ArchiveReport>, L> {
        Ok(options.run(&self.core, (), progress.note()))
    }

    fn plan_invite(&self, options: InviteOptions) -> ArgResult<kinds::Call<SendPlan>, L> {
        Ok(message::plan(&self.core, options))
    }

    fn plan_create_and_invite(
        &self,
        options: CreateAndInviteOptions,
        rows: Attachment<'_, L>,
    ) -> ArgResult<kinds::Call<SendPlan>, L> {
        message::plan_rows::<L>(&self.core, options, rows)
    }

    fn plan_remind(&self, options: RemindOptions) -> ArgResult<kinds::Call<SendPlan>, L> {
        Ok(message::plan(&self.core, options))
    }

    fn plan_send_mail(&self, options: SendMailOptions) -> ArgResult<kinds::Call<SendPlan>, L> {
        Ok(message::plan(&self.core, options))
    }

    fn plan_redeem(&self, options: RedeemOptions) -> ArgResult<kinds::Call<SendPlan>, L> {
        Ok(message::plan(&self.core, options))
    }

    fn plan_transition(&self, options: TransitionOptions) -> ArgResult<kinds::Call<SendPlan>, L> {
        Ok(message::plan(&self.core, options))
    }

    fn field_report(&self, options: FieldReportOptions) -> ArgResult<kinds::Call<FieldReport>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn distribution(&self, options: DistributionOptions) -> ArgResult<kinds::Call<Distribution>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn plan_export_person(
        &self,
        options: PlanExportPersonOptions,
    ) -> ArgResult<kinds::Call<PersonExportPlan>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn export_person(&self, options: ExportPersonOptions) -> ArgResult<kinds::Call<PersonExport>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn plan_erase_person(&self, options: PlanErasePersonOptions) -> ArgResult<kinds::Call<ErasePlan>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn erase_person(&self, options: ErasePersonOptions) -> ArgResult<kinds::Call<EraseReceipt>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn reconcile(&self, options: ReconcileOptions) -> ArgResult<kinds::Call<Reconciled>, L> {
        Ok(options.run(&self.core, (), None))
    }

    fn send_once(&self, options: SendOnceOptions) -> ArgResult<Self, L> {
        Ok(self.over(self.core.send_once(options)?))
    }
}
