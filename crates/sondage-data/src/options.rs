//! Builds queries from options, which the rows of the second table take.

use std::path::Path;

use indexmap::IndexSet;
use sondage::arguments::{
    ChangeSetOptions, CrosstabOptions, DeltaOptions, ExportOptions, FrequenciesOptions, InterviewsOptions,
    LabelText, MembersOptions, QualityOptions, SyncOptions,
};
use sondage::internals::clock;
use sondage::model::OrderDirection;
use sondage::paging::{self, Order};
use sondage::reports::{Crosstab, Frequencies, Quality};
use sondage::{Client, Error, Result, Timestamp};

use crate::delta::Delta;
use crate::export::{Export, FileFormat, FileOptions};
use crate::picture::Comparison;
use crate::query::{Batches, Estimate, Interviews, Members, SAMPLE, Tables};
use crate::sync::{ChangesFile, StoreSync, store_at};
use crate::table::{Counting, Labels, Table};

/// Sets the options that are present, and leaves the others at their defaults.
macro_rules! choose {
    ($query:ident: $($chosen:expr => $method:ident;)*) => {
        $(if let Some(value) = $chosen { $query = $query.$method(value); })*
    };
}

/// A query of interviews or of members. Nothing is read before its rows are requested.
#[derive(Clone)]
#[non_exhaustive]
pub enum Query {
    /// Of interviews.
    Interviews(Interviews),
    /// Of members.
    Members(Members),
}

/// Applies the same code to both kinds of query.
macro_rules! either {
    ($query:expr, $bound:ident => $does:expr) => {
        match $query {
            Query::Interviews($bound) => $does,
            Query::Members($bound) => $does,
        }
    };
}

impl Query {
    /// The interviews of a survey.
    pub fn interviews(client: &Client, options: InterviewsOptions) -> Self {
        let mut query = client.interviews(options.survey_id);
        query = query.verify_total(options.verify_total).thorough(options.thorough);
        let descending = options.descending;
        let direction = if descending { OrderDirection::Descending } else { OrderDirection::Ascending };
        choose! { query:
            options.fields => fields;
            options.filter => filter;
            options.state => state;
            options.updated_since => updated_since;
            options.page_size => page_size;
            options.first_page => first_page;
            options.language.as_deref() => language;
            options.order_by.map(|field| Order::By(field, direction)) => order;
        }
        query = query.not_available(options.not_available.0).markup(options.text == LabelText::Raw);
        if options.structured {
            query = query.structured();
        }
        Self::Interviews(if options.code_plan { query } else { query.without_code_plan() })
    }

    /// The members of a panel or sample.
    pub fn members(client: &Client, mut options: MembersOptions) -> Self {
        let (definition, language) = (options.definition, options.language.take());
        let query = client.member_table(member_list(client, options));
        Self::Members(if definition { query.with_definition(language.as_deref()) } else { query })
    }

    /// The client that reads it.
    #[doc(hidden)] // for sondage-ffi
    pub fn client(&self) -> &Client {
        either!(self, query => query.client())
    }

    /// The query, with a progress callback.
    #[must_use]
    pub fn on_progress(self, watch: impl Fn(&paging::Progress) + Send + Sync + 'static) -> Self {
        match self {
            Self::Interviews(query) => Self::Interviews(query.on_progress(watch)),
            Self::Members(query) => Self::Members(query.on_progress(watch)),
        }
    }

    /// All rows: complete, or an error.
    pub async fn table(&self) -> Result<Table> {
        either!(self, query => query.table().await)
    }

    /// Starts reading page by page, each page a table of its own.
    pub async fn batches(&self) -> Result<Batches> {
        match self {
            Self::Interviews(query) => query.batches(),
            Self::Members(query) => query.batches().await,
        }
    }

    /// The cost of a download, estimated from one call for a few rows.
    pub async fn estimate(&self) -> Result<Estimate> {
        either!(self, query => query.estimate().await)
    }

    /// The number of rows, by the service's count. If it cannot be right, the rows are read and counted.
    pub async fn count(&self) -> Result<i64> {
        // The number of rows of a full page may be the count of that page.
        if let Some(rows) = self.estimate().await?.rows.filter(|rows| *rows != SAMPLE) {
            return Ok(rows);
        }
        let (mut batches, mut rows) = (self.batches().await?, 0);
        while let Some(table) = batches.next().await? {
            rows += table.num_rows();
        }
        Ok(i64::try_from(rows).unwrap_or(i64::MAX))
    }

    /// The first rows, without reading the others.
    pub async fn head(&self, rows: i64) -> Result<Table> {
        let Some(count) = usize::try_from(rows).ok().filter(|rows| *rows > 0) else {
            return Err(Error::invalid_argument(format!("rows must be at least 1, not {rows}")));
        };
        match self {
            Self::Interviews(query) => query.clone().page_size(rows).read()?.head(count).await,
            Self::Members(query) => query.with_page_size(rows).read().await?.head(count).await,
        }
    }

    /// How often each answer was given; see [`Table::frequencies`]. Only the columns that this needs are downloaded.
    pub async fn frequencies(&self, options: &FrequenciesOptions) -> Result<Frequencies> {
        let table = self.of_columns([Some(&options.variable), options.weight.as_ref()]).table().await?;
        let mut frequencies = table.frequencies(options)?;
        add_warnings(&table, &mut frequencies.warnings);
        Ok(frequencies)
    }

    /// How often each pair of answers was given; see [`Table::crosstab`]. Only the columns that this needs are downloaded, and
    /// memory does not grow with their rows.
    pub async fn crosstab(&self, options: &CrosstabOptions) -> Result<Crosstab> {
        let mut counting = Counting::new(options)?;
        let narrow = self.of_columns([Some(&options.variable), Some(&options.by), options.weight.as_ref()]);
        let mut batches = narrow.batches().await?;
        let (mut is_empty, mut warnings) = (true, Vec::new());
        while let Some(table) = batches.next().await? {
            counting.add(&table)?;
            add_warnings(&table, &mut warnings);
            is_empty = false;
        }
        if is_empty {
            counting.add(&narrow.table().await?)?;
        }
        let mut crosstab = counting.finish()?;
        crosstab.warnings.append(&mut warnings);
        Ok(crosstab)
    }

    /// The numbers of each group of a crosstab: see [`Table::number_groups`]. Only the columns that this needs are downloaded.
    ///
    /// Of a column without numbers, it is the crosstab.
    pub async fn groups(&self, options: &CrosstabOptions) -> Result<Comparison> {
        let names = [Some(&options.variable), Some(&options.by), options.weight.as_ref()];
        let table = self.of_columns(names).table().await?;
        if let Some(groups) = table.number_groups(options)? {
            return Ok(Comparison::Numbers(groups));
        }
        let mut crosstab = table.crosstab(options)?;
        add_warnings(&table, &mut crosstab.warnings);
        Ok(Comparison::Choices(Box::new(crosstab)))
    }

    /// Marks interviews that may not be worth counting; see [`Table::quality`]. All rows are downloaded.
    pub async fn quality(&self, options: &QualityOptions) -> Result<Quality> {
        let table = self.table().await?;
        let mut quality = table.quality(options)?;
        add_warnings(&table, &mut quality.warnings);
        Ok(quality)
    }

    /// The same query for these columns.
    fn of_columns<'a>(&self, names: impl IntoIterator<Item = Option<&'a String>>) -> Self {
        let names: IndexSet<String> = names.into_iter().flatten().cloned().collect();
        match self {
            Self::Interviews(query) => Self::Interviews(query.clone().fields(names)),
            Self::Members(query) => Self::Members(query.clone().of_fields(names)),
        }
    }

    /// Downloads to a file.
    pub fn export(&self, options: ExportOptions) -> Result<Export> {
        let ExportOptions {
            path,
            format,
            labels,
            resume,
            shared,
            spreadsheet,
            separator,
            decimal,
            bom,
            missing,
            weight,
            ..
        } = options;
        let mut export = either!(self, query => query.export(path.0));
        if let Some(name) = format {
            export = export.format(FileFormat::of_name(Some(&name), Path::new(""))?);
        }
        if let Some(name) = labels {
            let labels = Labels::of_name(&name).ok_or_else(|| {
                Error::invalid_argument(format!("labels must be codes, labels or both, not {name:?}"))
            })?;
            export = export.labels(labels);
        }
        if let Some(codes) = missing {
            export = export.missing(codes);
        }
        let options = FileOptions::default().shared(shared);
        let mut options = options.csv(spreadsheet, separator.as_deref(), decimal.as_deref(), bom)?;
        options.weight = weight;
        Ok(export.resume(resume).options(options))
    }

    /// A single page, the service's count of the whole list, and the time by the service's clock. Only for interviews.
    pub async fn page(&self, number: i64, size: i64) -> Result<(Table, Option<i64>, Timestamp)> {
        let query = self.of_interviews()?;
        let (table, count) = query.page(number, size).await?;
        let now = clock::of_service(query.client(), clock::wall(query.client()));
        Ok((table, count, Timestamp(now)))
    }

    /// The changes since the last load. Only for interviews.
    pub fn delta(&self, options: DeltaOptions) -> Result<Delta> {
        let delta =
            self.of_interviews()?.delta(options.state.0).find_removed(options.removed).evolve(options.evolve);
        Ok(match options.overlap {
            Some(overlap) => delta.overlap(overlap),
            None => delta,
        })
    }

    /// Keeps a store at a path equal to the query. Only for interviews.
    pub fn sync(&self, options: SyncOptions) -> Result<StoreSync> {
        let SyncOptions { path, evolve, overlap, shared, .. } = options;
        let sync = self.of_interviews()?.sync_to(store_at(path.0, shared)).evolve(evolve);
        Ok(match overlap {
            Some(overlap) => sync.overlap(overlap),
            None => sync,
        })
    }

    /// The changes that make a store equal to the query, in a file. Only for interviews.
    pub async fn change_set(&self, options: ChangeSetOptions) -> Result<ChangesFile> {
        Box::pin(self.of_interviews()?.changes_file(options)).await
    }

    fn of_interviews(&self) -> Result<&Interviews> {
        match self {
            Self::Interviews(query) => Ok(query),
            Self::Members(_) => Err(Error::invalid_argument("this is for interviews, not for members")),
        }
    }
}

/// The members as objects.
pub fn member_list(client: &Client, options: MembersOptions) -> paging::Members {
    let mut query = client.members(options.panel_id);
    query = query.verify_total(options.verify_total).thorough(options.thorough);
    choose! { query:
        options.fields => fields;
        options.filter => filter;
        options.page_size => page_size;
    }
    if options.interviews { query.interviews() } else { query }
}

/// Adds the warnings of a table that are not there.
fn add_warnings(table: &Table, warnings: &mut Vec<String>) {
    for warning in table.warnings().map(ToString::to_string) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
}
