//! The methods of the jobs. `sondage::methods!` documents the format of a row. Jobs whose rows are a table are in `sondage-data`.

/// Passes the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
    ($then:ident) => {
        $then! {
            /// Jobs of a client.
            client {
                /// Stores the PDFs of a survey's interviews in a folder, with a manifest: `manifest.jsonl`, one line per
                /// document.
                ///
                /// It can be stopped at any moment, and the same call resumes it: documents already stored stay, and are complete.
                /// Each document costs one call of the 500 that the service allows a day.
                fn archive_answers(options: ArchiveOptions) -> report ArchiveReport: Call, progress ArchiveProgress;
                /// Plans an invitation: who gets the message, who does not and why, and how many calls it costs.
                ///
                /// Planning sends nothing. Running the plan with its token reads the audience again and sends the message to
                /// exactly these members, or refuses if the audience has changed.
                fn plan_invite(options: InviteOptions) -> handle SendPlan: Call;
                /// Plans new members: rows, typed by the panel's definition, from which members are created and invited by one call.
                ///
                /// Planning sends nothing: it says which rows are created and invited, and why others are left out. Running the
                /// plan with its token reads everything again, makes the call once, and reads the new members back by their keys.
                fn plan_create_and_invite(options: CreateAndInviteOptions) -> handle SendPlan: Call, with rows;
                /// Plans a reminder to members whom a distributor invited and who have not answered.
                ///
                /// The service selects the recipients of a reminder by conditions alone. A plan that would have to
                /// exclude anyone in addition is refused.
                fn plan_remind(options: RemindOptions) -> handle SendPlan: Call;
                /// Plans single mails to members of a panel: who gets one, who does not and why, and the cost in calls. Each
                /// mail takes one call.
                ///
                /// Planning sends nothing. Running the plan with its token reads the audience again and sends each mail once.
                fn plan_send_mail(options: SendMailOptions) -> handle SendPlan: Call;
                /// Plans the purchase of vouchers with credits: how many, and what they cost. Each voucher takes one call.
                ///
                /// Planning buys nothing. Running the plan with its token reads price and balance again and buys each voucher
                /// once. The report has the codes.
                fn plan_redeem(options: RedeemOptions) -> handle SendPlan: Call;
                /// Plans a workflow transition of a survey or a distributor to another state.
                ///
                /// Planning changes nothing. Running the plan with its token reads the state again and makes the transition
                /// once.
                fn plan_transition(options: TransitionOptions) -> handle SendPlan: Call;
                /// Counts the dispositions of everybody who was invited to a survey, and computes the response rates of the American
                /// Association for Public Opinion Research.
                fn field_report(options: FieldReportOptions) -> report FieldReport: Call;
                /// Counts what has become of an invitation: who was invited, has begun, completed or was screened out, what bounced, and the
                /// completed interviews of each day. What the service does not tell is nothing, and never estimated.
                fn distribution(options: DistributionOptions) -> report Distribution: Call;
                /// Lists what is held about a person, source by source, and counts the calls that an export makes. Nothing is
                /// written.
                fn plan_export_person(options: PlanExportPersonOptions) -> report PersonExportPlan: Call;
                /// Reads everything that the account, and the named files of this library, hold about a person: fields,
                /// invitations, answers, opt-outs, bounces, incentives. It reports for each source what was read, or why not.
                fn export_person(options: ExportPersonOptions) -> report PersonExport: Call;
                /// Plans an erasure: what would be erased about a person, what would remain and who can erase that, and the
                /// token that confirms it. Nothing is erased.
                fn plan_erase_person(options: PlanErasePersonOptions) -> report ErasePlan: Call;
                /// Erases a person as planned: from the named files of this library, then the interviews, then the members. It
                /// cannot be undone.
                ///
                /// It is refused if something else would be erased by now. Each deletion is written to the receipt before it is
                /// sent, so the same call resumes an interrupted erasure.
                fn erase_person(options: ErasePersonOptions) -> report EraseReceipt: Call;
                /// Finds out whether a write with an unknown outcome took effect, by the `write_id` of its error. For the operations that
                /// are never retried.
                ///
                /// It reads the account and looks for what the operation creates. A proof that the write happened is returned at once;
                /// that it did not happen is certain only after the quiet time (`quiet`), so it waits for that. If somebody else may
                /// have made what it finds, the verdict is that the outcome is still unknown.
                fn reconcile(options: ReconcileOptions) -> report Reconciled: Call;
                /// The same client for one write that is sent once under a key: in this process, in others, and after a crash.
                /// Creating this client sends nothing.
                ///
                /// A second call with the same key and the same request returns the response to the first. If the first got no
                /// response, its outcome is determined first, and the write is sent again only if it did not take effect.
                /// Another request under the same key is an error, and so is an operation that can be retried anyway.
                fn send_once(options: SendOnceOptions) -> handle Client: Immediate;
            }

            /// A plan that sends. Nothing is sent before `run`.
            send_plan {
                /// The content of the plan.
                fn facts() -> report SendPlanFacts: Immediate;
                /// Reads everything again, and sends what was planned, each call once, if nothing on which the plan
                /// depends has changed.
                ///
                /// `confirm` is the `token` of the plan, passed by whoever approves it. After an error nothing was sent: the token is
                /// a different one, the plan is too old or was already run, the audience has changed (the error lists the changes),
                /// or the service refused. Once something may have been sent, the result is a report, and the plan cannot be run
                /// again.
                fn run(confirm: String) -> report SendReport: Call;
                /// The report of a run so far, even if its caller gave up. Before a run every row is `"not_sent"`.
                fn report() -> report SendReport: Immediate;
            }
        }
    };
}
