//! The jobs as methods of a client.

use crate::options::{
    ArchiveOptions, CreateAndInviteOptions, CreateOptions, DistributionOptions, ErasePersonOptions,
    ExportPersonOptions, FieldReportOptions, ImportOptions, InviteOptions, PlanErasePersonOptions,
    PlanExportPersonOptions, ReconcileOptions, RedeemOptions, RemindOptions, SendMailOptions,
    SendOnceOptions, TransitionOptions, UpdateOptions,
};
use crate::{
    Archive, Distribution, ErasePlan, EraseReceipt, FieldReport, Import, JournalStore, PersonExport,
    PersonExportPlan, Reconciled, SendPlan, Update, once, reconcile,
};
use sondage::arguments::{self, Options as _, OptionsSchema};
use sondage::job::Job as _;
use sondage::model::{Json, Timestamp};
use sondage::{Client, Result};
use std::time::Duration;

/// Methods that build a job from options (`prepare`), and methods that run one (`run`), for both clients.
macro_rules! jobs {
    (
        prepare { $( $(#[doc = $about:literal])* $prepare:ident($Prepared:ident) -> $Job:ident by $new:expr; )* }
        run { $( $(#[doc = $doc:literal])* $run:ident($Options:ident) -> $Report:ident; )* }
    ) => {
        /// The options of the methods, and those of jobs that need Arrow or make no call.
        const OPTIONS: &[&OptionsSchema] = &[
            $($Prepared::SCHEMA,)*
            $($Options::SCHEMA,)*
            CreateOptions::SCHEMA,
            SendOnceOptions::SCHEMA,
        ];

        /// Jobs on a [`Client`].
        pub trait Jobs {
            $( $(#[doc = $about])* fn $prepare(&self, options: $Prepared) -> $Job; )*
            $(
                $(#[doc = $doc])*
                fn $run(&self, options: $Options) -> impl Future<Output = Result<$Report>> + Send;
            )*

            /// The same client for one write that is sent once under a key, in this process and in others, even after a crash.
            ///
            /// A second call with the same key and the same request returns the response to the first. If the first got no response, its
            /// outcome is determined first (see [`Jobs::reconcile`]), and the write is sent again only if it did not take effect.
            /// Another request under the same key is refused, and so are operations that can be retried anyway.
            ///
            /// ```no_run
            /// # use sondage::model::InviteMembersRequest;
            /// # async fn example(client: sondage::Client, request: InviteMembersRequest) -> sondage::Result<()> {
            /// use sondage_jobs::Jobs;
            /// use sondage_jobs::options::SendOnceOptions;
            ///
            /// let invited = client.send_once(SendOnceOptions::new("wave-3"))?.invite_members(request).await?;
            /// println!("{:?}", invited.distributor_id);
            /// # Ok(())
            /// # }
            /// ```
            fn send_once(&self, options: SendOnceOptions) -> Result<Client>;

            /// The same with journals that are not files, for example rows of a database. `stores` is called with the name of a
            /// journal, which is the same in every process and does not reveal the key. The option `folder` is ignored.
            fn send_once_with(
                &self,
                options: SendOnceOptions,
                stores: impl Fn(&str) -> Box<dyn JournalStore> + Send + Sync + 'static,
            ) -> Result<Client>;

            /// Registers a write that another process has sent without getting a response. Returns its `write_id` in this
            /// process, for [`Jobs::reconcile`].
            ///
            /// `operation` is the API's name; it must be an operation that is never retried. `request` is the request as it was
            /// sent. `sent` is a time before which it had not been sent, and `took` how long after that the other process may
            /// still have been sending it: until the error, or the end of the process. Other writes of that process are not known
            /// here: if one had the same request at the same time, its effect may be mistaken for that of this one.
            fn note_write(
                &self,
                operation: &str,
                request: &Json,
                sent: Timestamp,
                took: Duration,
            ) -> Result<String>;
        }

        impl Jobs for Client {
            $( fn $prepare(&self, options: $Prepared) -> $Job { $new(self, options) } )*
            $(
                fn $run(&self, options: $Options) -> impl Future<Output = Result<$Report>> + Send {
                    options.run(self, (), None)
                }
            )*

            fn send_once(&self, options: SendOnceOptions) -> Result<Client> {
                once::client(self, options, once::Journals::Folder(None))
            }

            fn send_once_with(
                &self,
                options: SendOnceOptions,
                stores: impl Fn(&str) -> Box<dyn JournalStore> + Send + Sync + 'static,
            ) -> Result<Client> {
                once::client(self, options, once::Journals::Stores(std::sync::Arc::new(stores)))
            }

            fn note_write(
                &self,
                operation: &str,
                request: &Json,
                sent: Timestamp,
                took: Duration,
            ) -> Result<String> {
                reconcile::note_write(self, operation, request, sent, took)
            }
        }

        /// Jobs on a [`sondage::blocking::Client`].
        #[cfg(feature = "blocking")]
        pub trait BlockingJobs {
            $( $(#[doc = $about])* fn $prepare(&self, options: $Prepared) -> $Job; )*
            $(
                #[doc = concat!("Waits for [`Jobs::", stringify!($run), "`].")]
                fn $run(&self, options: $Options) -> Result<$Report>;
            )*

            /// The same client for one write that is sent once under a key: see [`Jobs::send_once`].
            fn send_once(&self, options: SendOnceOptions) -> Result<sondage::blocking::Client>;
        }

        #[cfg(feature = "blocking")]
        impl BlockingJobs for sondage::blocking::Client {
            $( fn $prepare(&self, options: $Prepared) -> $Job { $new(self.as_async(), options) } )*
            $(
                fn $run(&self, options: $Options) -> Result<$Report> {
                    sondage::internals::runtime::block_on(options.run(self.as_async(), (), None))
                }
            )*

            fn send_once(&self, options: SendOnceOptions) -> Result<sondage::blocking::Client> {
                self.as_async().send_once(options).map(Into::into)
            }
        }
    };
}

/// Every struct of options that a caller fills in directly, of the core and of jobs.
#[doc(hidden)] // for the bindings and their generator
pub fn options_of_all_crates() -> impl Iterator<Item = &'static OptionsSchema> {
    arguments::ALL.iter().chain(OPTIONS).copied()
}

jobs! {
    prepare {
        /// Stores the PDFs of a survey's interviews in a folder, with a manifest. It can be stopped and run again at any
        /// time: existing documents are not downloaded twice.
        ///
        /// Each document costs one call of the 500 that the service allows a day.
        // API 15.1, published
        archive_answers(ArchiveOptions) -> Archive by Archive::new;
        /// Updates members from rows, with a column for each field. The rows are passed to [`Update::plan`], not in the options.
        ///
        /// ```no_run
        /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
        /// use sondage_jobs::options::UpdateOptions;
        /// use sondage_jobs::{Jobs, Rows};
        ///
        /// let rows = Rows::of([[("Email", "ada@example.com"), ("Division", "Sales")]]);
        /// let plan = client.update_members_by(UpdateOptions::new(123, "Email")).plan(rows).await?;
        /// println!("{plan}");
        /// let report = plan.apply().await;
        /// println!("{} members changed", report.applied.len());
        /// # Ok(())
        /// # }
        /// ```
        update_members_by(UpdateOptions) -> Update by Update::new;
        /// Creates members from rows, with a column for each field, each person once. The rows are passed to [`Import::run`],
        /// not in the options.
        ///
        /// ```no_run
        /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
        /// use sondage_jobs::options::ImportOptions;
        /// use sondage_jobs::{Jobs, RowStatus, Rows};
        ///
        /// let rows = Rows::of([[("Email", "ada@example.com"), ("Division", "Sales")]]);
        /// let import = client.import_members(ImportOptions::new(123, "Email"));
        /// let report = import.run(rows).await?;
        /// println!("{} members created", report.count(RowStatus::Created));
        /// # Ok(())
        /// # }
        /// ```
        import_members(ImportOptions) -> Import by Import::new;
    }
    run {
        /// Plans an invitation: who gets the message, who does not and why, and what it costs in calls. Nothing is sent before
        /// [`SendPlan::run`].
        ///
        /// ```no_run
        /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
        /// use sondage::condition::field;
        /// use sondage_jobs::Jobs;
        /// use sondage_jobs::options::InviteOptions;
        ///
        /// let sales = field("Division").is_equal_to("Sales");
        /// let plan = client.plan_invite(InviteOptions::new(7, 123, 9).filter(sales)).await?;
        /// println!("{plan}");
        /// let report = plan.run(plan.token()).await?;
        /// println!("{report}");
        /// # Ok(())
        /// # }
        /// ```
        plan_invite(InviteOptions) -> SendPlan;
        /// Plans new members, created from rows and invited by the same call: see [`Jobs::plan_invite`]. The rows are in the
        /// options.
        ///
        /// ```no_run
        /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
        /// use sondage_jobs::options::{CreateAndInviteOptions, RowSource};
        /// use sondage_jobs::{Jobs, Rows};
        ///
        /// let rows = Rows::of([[("Email", "ada@example.com"), ("Language", "en")]]);
        /// let options = CreateAndInviteOptions::new(7, 123, 9, "Email").rows(RowSource::of(rows)?);
        /// let plan = client.plan_create_and_invite(options).await?;
        /// println!("{plan}");
        /// let report = plan.run(plan.token()).await?;
        /// println!("{report}");
        /// # Ok(())
        /// # }
        /// ```
        plan_create_and_invite(CreateAndInviteOptions) -> SendPlan;
        /// Plans a reminder to those whom a distributor invited and who have not answered: see [`Jobs::plan_invite`].
        plan_remind(RemindOptions) -> SendPlan;
        /// Plans single mails to members of a panel, a call for each: see [`Jobs::plan_invite`].
        plan_send_mail(SendMailOptions) -> SendPlan;
        /// Plans vouchers that credits buy, a call for each: see [`Jobs::plan_invite`].
        plan_redeem(RedeemOptions) -> SendPlan;
        /// Plans a transition of a survey or a distributor to another state: see [`Jobs::plan_invite`].
        plan_transition(TransitionOptions) -> SendPlan;
        /// Computes the dispositions of everybody who was invited to a survey, and the response rates.
        field_report(FieldReportOptions) -> FieldReport;
        /// Counts what has become of an invitation: who was invited, has begun, completed, was screened out, and what bounced. What the
        /// service does not tell is `None`.
        distribution(DistributionOptions) -> Distribution;
        /// Says what is held of a person, source by source, and how many calls reading it makes. Nothing is written.
        plan_export_person(PlanExportPersonOptions) -> PersonExportPlan;
        /// Reads everything that the account and the named files of this library hold of a person, and writes it into a
        /// folder.
        export_person(ExportPersonOptions) -> PersonExport;
        /// Says what would be erased of a person, what would be left and why, and the token that confirms it. Nothing is
        /// erased.
        plan_erase_person(PlanErasePersonOptions) -> ErasePlan;
        /// Erases a person as a plan has said, and writes a receipt that holds nothing of what was erased.
        erase_person(ErasePersonOptions) -> EraseReceipt;
        /// Finds out whether a write with an unknown outcome took effect, by the `write_id` of its error. For the operations
        /// that are never retried.
        ///
        /// It reads back what the operation creates or changes. A proof that the write happened is returned immediately; that
        /// it did not happen is certain only after the quiet time (`quiet`), so it waits for that. The verdict is never a guess:
        /// if there is a similar object that another login may have created, the outcome is still unknown.
        ///
        /// ```no_run
        /// # use sondage::model::InviteMembersRequest;
        /// # async fn example(client: sondage::Client, request: InviteMembersRequest) -> sondage::Result<()> {
        /// use sondage_jobs::options::ReconcileOptions;
        /// use sondage_jobs::{Jobs, Verdict};
        ///
        /// let Err(error) = client.invite_members(request.clone()).await else { return Ok(()) };
        /// let Some(id) = error.write_id() else { return Err(error) };
        /// let became = client.reconcile(ReconcileOptions::new(id)).await?;
        /// println!("{became}");
        /// if became.verdict == Verdict::DidNotHappen {
        ///     client.invite_members(request).await?;
        /// }
        /// # Ok(())
        /// # }
        /// ```
        reconcile(ReconcileOptions) -> Reconciled;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_says_what_it_is() {
        for schema in OPTIONS {
            assert!(!schema.docs.is_empty() && schema.fields.iter().all(|field| field.docs.ends_with('.')));
        }
    }
}
