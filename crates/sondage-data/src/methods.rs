//! Methods that need Arrow. `sondage::methods!` documents the format of a row.

/// Passes the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
    ($then:ident) => {
        $then! {
            /// Methods that need no client.
            library {
                /// A table from the bytes of another process.
                fn table(bytes: Bytes) -> handle Table: Immediate;
                /// A table from rows in Arrow with the metadata of this library.
                fn arrow_table() -> handle Table: Immediate, with rows;
                /// One table of the rows of several, from the bytes of each.
                fn concat(tables: Vec<Bytes>) -> handle Table: Immediate;
                /// How the questions of the first of two tables differ from those of the second, from the bytes of each.
                fn compare(tables: Vec<Bytes>) -> report Comparison: Immediate;
                /// One table of several waves, in which a code means the same in every row.
                fn stack(options: StackOptions) -> handle Table: Immediate;
                /// A result of counting as aligned text, as a table of HTML, or as a picture (SVG).
                fn draw(options: PictureOptions) -> value String: Immediate;
                /// A result of counting as a table in long form.
                fn drawn_table(options: PictureOptions) -> handle Table: Immediate;
                /// Removes the interviews of an erased person from a file that a sync keeps: those that the receipt of the erasure lists.
                fn erase_from_store(options: EraseFromStoreOptions) -> report StoreErasure: Blocking;
                /// What is removed, for stores that a language writes itself: `erase_from_store` uses it.
                fn erased_rows(options: ErasedRowsOptions) -> report ErasedRows: Immediate;
            }

            /// Methods of a client for tables.
            client {
                /// The members of a panel or sample as a table.
                fn member_table(options: MembersOptions) -> handle Query: Immediate, called "members";
                /// The interviews of a survey as a table: complete, or an error.
                fn interviews(options: InterviewsOptions) -> handle Query: Immediate;
                /// Creates members from the rows of a table, with a column for each field. No objects are created per
                /// row.
                ///
                /// Each chunk is sent at most once. If the outcome of one is unknown, or one is refused, nothing more is sent:
                /// the report says which rows were created, which were not, and for which it is unknown. No key identifies a
                /// row, so sending a row again creates another member: to resume, use `import_members`.
                fn create_members_from(options: CreateOptions) -> handle ImportReport: Call, with rows;
                /// Creates members from the rows of a table, with a column for each field; a key identifies each person,
                /// who is created only once.
                ///
                /// The rows are checked against the definition of the panel before anything is sent, and existing members are
                /// found by their keys. It can be interrupted at any moment: the same call resumes it, and checks which rows
                /// without a response were created before it sends them again.
                fn import_members(options: ImportOptions) -> handle ImportReport: Call, with rows;
                /// Plans the changes that the rows of a table would make to members, with a column for each field; a key
                /// identifies the members.
                ///
                /// The plan sends nothing: it shows every change, and the rows that are left out. Applied, it sends only what
                /// differs.
                fn plan_update(options: UpdateOptions) -> handle UpdatePlan: Call, with rows;
            }

            /// A query of interviews or members.
            query {
                /// All rows: complete, or an error.
                fn table() -> handle Table: Call, progress DownloadProgress;
                /// The rows page by page, each page a table of its own.
                fn batches() -> handle Pages<L>: Stream, progress DownloadProgress;
                /// The cost of a download, estimated from one call for a few rows.
                fn estimate() -> value Estimate: Call;
                /// The number of rows, by the service's count: one call, instead of reading all of them. If its count cannot be
                /// right, the rows are read and counted.
                fn count() -> value i64: Call;
                /// The first rows as a table, without reading the others: one call, and once for each client the one that
                /// finds the number of the first page.
                fn head(rows: i64) -> handle Table: Call;
                /// How often each answer was given: of the rows, only the columns that this needs are downloaded.
                fn frequencies(options: FrequenciesOptions) -> report Frequencies: Call, progress DownloadProgress;
                /// How often each pair of answers was given, in constant memory: only the columns that this needs are downloaded.
                fn crosstab(options: CrosstabOptions) -> report Crosstab: Call, progress DownloadProgress;
                /// Downloads all rows, and marks interviews that may not be worth counting.
                fn quality(options: QualityOptions) -> report Quality: Call, progress DownloadProgress;
                /// Downloads to a file, in constant memory.
                fn export(options: ExportOptions) -> value ExportReport: Call, progress DownloadProgress;
                /// A single page of interviews.
                fn page(options: PageOptions) -> handle Page: Call;
                /// Interviews that changed since the last load. The load counts when it is committed.
                fn delta(options: DeltaOptions) -> handle DeltaLoad: Call, progress DownloadProgress;
                /// Keeps a store equal to the query: reads the changes since the last sync, and stores them with the removed interviews and
                /// its state in one transaction.
                fn sync(options: SyncOptions) -> report SyncReport: Call, progress DownloadProgress;
                /// The changes that make a store equal to the query, for stores that a language writes itself: `sync` uses it.
                fn change_set(options: ChangeSetOptions) -> handle ChangeSet: Call, progress DownloadProgress;
            }

            /// Changes that make a store equal to a query, with their rows in a file, which is removed with them.
            change_set {
                /// What they are.
                fn facts() -> report StoreChanges: Immediate;
                /// Removes the file.
                fn drop() -> value (): Immediate;
            }

            /// A page of a table, and the service's count of the whole list.
            page {
                /// Its rows.
                fn table() -> handle Table: Immediate;
                /// The service's count of the whole list.
                fn count() -> value Option<i64>: Immediate;
                /// The time by the service's clock when the page had arrived.
                fn service_time() -> value Timestamp: Immediate;
            }

            /// A delta load that has not been committed.
            load {
                /// New and changed interviews.
                fn table() -> handle Table: Immediate;
                /// Interviews that were deleted or no longer match, if they were requested.
                fn removed() -> value Vec<Removed>: Immediate;
                /// The calls, bytes and time of the load.
                fn progress() -> value RowProgress: Immediate;
                /// Commits the load: the next one starts after these changes.
                fn commit() -> value Option<()>: Immediate;
                /// Discards the load: the next one returns the changes again.
                fn drop() -> value (): Immediate;
            }

            /// The outcome of each row of `import_members` or `create_members_from`, in the order of the rows.
            import_report {
                /// The report without its rows.
                fn facts() -> report ImportFacts: Immediate;
                /// The outcome of each row: the columns `row` (counted from 0), `line` (that of the file in which the row
                /// begins, counted from 1; of a workbook, the row of the sheet), `status` (`"created"`, `"updated"`, `"unchanged"`,
                /// `"exists"`, `"refused"`, `"duplicate"`, `"unknown"` or `"not_sent"`), `id`, `reason` and `attributed` (`"answer"`:
                /// by the service's response; `"read_back"`: by reading the members back).
                fn rows() -> handle Table: Immediate;
            }

            /// The changes that rows would make. Nothing is sent before `apply`.
            update_plan {
                /// The plan without its changes.
                fn facts() -> report PlanFacts: Immediate;
                /// The planned changes, in the order of the rows: the columns `row` (counted from 0), `line` (that of the file in which
                /// the row begins), `member`, `field`, `old` and `new`. All values
                /// are written as text.
                fn changes() -> handle Table: Immediate;
                /// The report of a run so far, even if its caller gave up. Before a run every member is in `left`.
                fn report() -> report UpdateReport: Immediate;
                /// Reads the members again, and sends the values that differ, in chunks. It stops at the first chunk that fails.
                ///
                /// If somebody has changed one of the values since, or deleted a member, or if the plan is too old, nothing is sent, and
                /// `stopped` says why. A chunk whose response was lost is retried: making a change twice has the same effect.
                fn apply() -> report UpdateReport: Call;
            }

            /// A table of interviews or members.
            table {
                /// The number of rows.
                fn length() -> value usize: Immediate;
                /// Names of the columns.
                fn columns() -> value Vec<String>: Immediate;
                /// Warnings: values that differ from the code plan, and were kept without loss.
                fn warnings() -> value Vec<String>: Immediate;
                /// The metadata of a column, by the keys of the Arrow field's metadata.
                fn metadata(column: String) -> value IndexMap<String, String>: Immediate;
                /// The codes of a column with their labels, in the questionnaire's order; empty if the code plan has none.
                fn values(column: String) -> value ValueLabels: Immediate;
                /// For each column: the text of its question, and its codes with their labels, where the code plan has them.
                fn meaning() -> value ColumnMeanings: Immediate;
                /// For each column of labels: all possible labels, in order.
                fn categories() -> value IndexMap<String, Vec<String>>: Immediate;
                /// Some rows as plain values.
                fn rows(options: RowsOptions) -> value Rows: Immediate;
                /// How often each answer of a column, or of a question of several choices, was given; with a weight, also the sum of
                /// the weights. Numbers are summarised.
                fn frequencies(options: FrequenciesOptions) -> report Frequencies: Blocking;
                /// How often each pair of answers to two questions was given, with margins, bases, percentages and a test of independence; with
                /// a weight, also the sums of the weights.
                fn crosstab(options: CrosstabOptions) -> report Crosstab: Blocking;
                /// Marks interviews that may not be worth counting: those of speeders and straight-liners, those with open answers of others, and
                /// those with little that is available; and counts where interviews were broken off.
                fn quality(options: QualityOptions) -> report Quality: Blocking;
                /// The same table with labels: `codes`, `labels` or `both`.
                fn with_labels(labels: String) -> handle Table: Blocking;
                /// The same rows with these columns, in this order.
                fn select(columns: Vec<String>) -> handle Table: Immediate;
                /// The same rows with one column of lists for each multiple choice question, instead of a column of 0 and 1 for each
                /// choice. The codes are the names of those columns, the labels the texts of the choices. `None`: not asked; `[]`: nothing
                /// chosen. Text entered beside a choice stays a column of its own.
                fn with_lists() -> handle Table: Blocking;
                /// The languages in which `in_language` shows the table: those of the survey, if it was read with a `language`.
                fn languages() -> value Vec<String>: Immediate;
                /// The same rows with questions and labels in this language. It costs no download, but the table must have been read
                /// with a `language`. Texts that nobody has translated stay in the survey's default language.
                fn in_language(language: String) -> handle Table: Immediate;
                /// The same rows, in which these codes mean a missing answer.
                fn with_missing(options: MissingOptions) -> handle Table: Blocking;
                /// The same rows with timestamps in this zone, for files and Arrow: `Europe/Zurich` for example. The instants do
                /// not change; without this, they are in UTC. A `Date` has no zone.
                fn in_time_zone(name: String) -> handle Table: Immediate;
                /// The same rows with times as clocks in their time zone show them, without the zone.
                fn without_time_zone() -> handle Table: Blocking;
                /// The time zone of its times; nothing when it is UTC, and the empty text when they have no zone.
                fn time_zone() -> value Option<String>: Immediate;
                /// Writes it to a file. Returns the file's size in bytes, and warnings about what its format cannot hold.
                fn save(options: SaveOptions) -> value SavedFile: Call;
                /// The table with its codes, labels and warnings, for `fromBytes` in a worker thread or another process.
                fn to_bytes() -> value TableBytes: Blocking;
                /// The codebook: questions, codes and labels of the columns, and on request how often each code was answered.
                fn codebook(options: CodebookOptions) -> handle Codebook: Blocking;
            }

            /// The codebook of a table: the questions and labels of its columns.
            codebook {
                /// The codebook with a row for each code instead of one for each column: `variable`, `question`, `code` and `label`.
                fn values() -> handle Codebook: Immediate;
                /// The codebook as Markdown.
                fn to_markdown() -> value String: Immediate;
                /// The codebook as a page of HTML, without scripts.
                fn to_html() -> value String: Immediate;
            }
        }
    };
}
