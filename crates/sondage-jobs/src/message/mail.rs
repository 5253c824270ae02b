//! Single mails: one to each member of an audience.

use super::audience::{Audience, Channel, Chooser, Rules};
use crate::options::{JournalPlace, SendMailOptions};
use crate::plan::{CommonOptions, Detail, MailTo, Reader, Request, Seen, SendKind, SendResult, wrong};
use futures_util::future::{self, BoxFuture};
use sondage::Client;
use sondage::error::{Error, ErrorKind, Result};
use sondage::model::ExecuteSendMailRequest;
use sondage::operations::ExecuteSendMail;

fn check(options: &SendMailOptions) -> Result<()> {
    super::check_blocks(options.text_blocks.as_ref())?;
    if options.text_blocks.is_some() && options.message_template_id.is_none() {
        return Err(wrong(
            "there are `text_blocks`, but no message template that they belong to",
            "Give `message_template_id`, or write the text into `body`.",
        ));
    }
    let texts = (options.message_template_id, &options.subject, &options.body);
    match texts {
        (Some(_), None, None) => Ok(()),
        (None, Some(_), Some(_)) if options.language.is_some() => Ok(()),
        (None, Some(_), Some(_)) => Err(wrong(
            "`language` is missing, the language of `subject` and `body`",
            "Give two letters, for example `de`.",
        )),
        (Some(_), ..) => Err(wrong(
            "there are both a message template and a `subject` or `body`",
            "Give either `message_template_id`, or `subject` and `body`.",
        )),
        (None, ..) => Err(wrong(
            "there is nothing to send",
            "Give either `message_template_id`, or `subject` and `body`.",
        )),
    }
}

/// Reads who would get a mail now.
async fn audience(client: &Client, options: &SendMailOptions, before: Option<&Seen>) -> Result<Seen> {
    let mut reader = Reader::again(client, before);
    let rules = Rules {
        survey_id: None,
        panel_id: options.panel_id,
        message_template_id: options.message_template_id,
        channel: Channel::Email,
        workspace_id: options.workspace_id,
        contacted_since: options.pause_days.map(|days| super::invite::since(None, days)),
        again: true,
        // If a language is given, every mail is in that language.
        other_languages: options.other_languages || options.language.is_some(),
        cap: options.cap,
        chooser: Chooser::Plan,
        each_address_once: true,
    };
    let fields = rules.fields(&mut reader).await?;
    let mut members = client.members(options.panel_id).fields(fields).interviews();
    if let Some(filter) = &options.filter {
        members = members.filter(filter.clone());
    }
    let candidates = rules.candidates(&mut reader, members.pages()?, options.member_ids.as_deref()).await?;
    let Audience { mut seen, languages, candidates } = rules.divide(reader, candidates).await?;
    let fallback = || {
        let chosen_language = options.language.clone().or_else(|| languages.fallback.clone());
        chosen_language.ok_or_else(|| {
            Error::unexpected_response("the message template does not say in which language it is")
        })
    };
    let mut mails = std::collections::BTreeMap::new();
    for candidate in candidates {
        if seen.targets.binary_search(&candidate.id).is_err() {
            continue;
        }
        let own = candidate.language.filter(|it| options.language.is_none() && languages.has(it));
        let language = own.map_or_else(fallback, Ok)?;
        if let Some(address) = candidate.email {
            mails.insert(candidate.id, MailTo { address, language });
        }
    }
    seen.detail = Detail::Mails(mails);
    Ok(seen)
}

/// The mail to a member.
fn request(options: &SendMailOptions, seen: &Seen, targets: &[i64]) -> Result<ExecuteSendMailRequest> {
    let mail = match (&seen.detail, targets) {
        (Detail::Mails(mails), [member]) => mails.get(member),
        _ => None,
    };
    let mail = mail.ok_or_else(|| Error::internal("a mail has no address"))?;
    Ok(written(options, &mail.language, &mail.address))
}

/// The content that all mails share.
fn identity(options: &SendMailOptions) -> Result<String> {
    let request = written(options, options.language.as_deref().unwrap_or_default(), "");
    let request = serde_json::to_string(&request);
    let request = request.map_err(|_| Error::internal("a request cannot be written"))?;
    Ok(format!("{}{request}", options.panel_id))
}

fn written(options: &SendMailOptions, language: &str, to: &str) -> ExecuteSendMailRequest {
    let mut request = ExecuteSendMailRequest::new(language, options.sender.as_str(), to);
    request.message_template_id = options.message_template_id;
    request.text_blocks = super::blocks(options.text_blocks.as_ref());
    request.subject.clone_from(&options.subject);
    request.body.clone_from(&options.body);
    request.from_name.clone_from(&options.sender_name);
    request.reply_to.clone_from(&options.reply_to);
    request.reply_to_name.clone_from(&options.reply_to_name);
    request
}

impl SendKind for SendMailOptions {
    fn name(&self) -> &'static str {
        "plan_send_mail"
    }

    fn journal(&mut self) -> &mut Option<JournalPlace> {
        &mut self.journal
    }

    fn common(&self) -> CommonOptions {
        CommonOptions { max_age: self.max_age, cap: self.cap, ..CommonOptions::default() }
    }

    fn check_options(&self) -> Result<()> {
        check(self)
    }

    fn read<'a>(&'a self, client: &'a Client, before: Option<&'a Seen>) -> BoxFuture<'a, Result<Seen>> {
        Box::pin(audience(client, self, before))
    }

    fn max_targets_per_call(&self) -> usize {
        1
    }

    fn continues_after(&self, error: &Error) -> bool {
        error.kind() == ErrorKind::Api
    }

    fn request(&self, seen: &Seen, targets: &[i64]) -> Result<Request> {
        Ok(Request::of::<ExecuteSendMail>(request(self, seen, targets)?, |_| SendResult::default()))
    }

    /// Nothing in the API lists single mails.
    fn sent_request<'a>(&'a self, _: &'a Client, _: &'a [i64]) -> BoxFuture<'a, Result<Option<Request>>> {
        Box::pin(future::ready(Ok(None)))
    }

    fn identity(&self) -> Result<String> {
        identity(self)
    }

    fn continuation_hint(&self) -> &'static str {
        "Plan mails only to the members that are `\"not_sent\"`: a plan of all would write to the others again. With \
         a `journal` the same plan resumes."
    }
}
