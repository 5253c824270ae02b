//! The methods of a table other than reading its rows, and those of its codebook.

use crate::language::{ArgResult, Language};
use crate::methods::{data, kinds};
use crate::objects::cells::Rows;
use arrow_schema::{DataType, Field, FieldRef};
use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use sondage::arguments::{
    CodebookOptions, CrosstabOptions, FrequenciesOptions, MissingOptions, QualityOptions, RowsOptions,
    SaveOptions,
};
use sondage::reports::{Crosstab, Frequencies, Quality};
use sondage::{Error, Result};
use sondage_data::{
    Codebook, ColumnMeanings, FileFormat, FileOptions, Labels, MissingShown, Table, ValueLabels,
};

/// A table that was written to a file.
#[derive(Serialize)]
pub struct SavedFile {
    size: u64,
    warnings: Vec<String>,
}

impl From<sondage_data::SavedFile> for SavedFile {
    fn from(file: sondage_data::SavedFile) -> Self {
        Self { size: file.size, warnings: file.warnings.iter().map(ToString::to_string).collect() }
    }
}

/// The bytes of a table.
pub struct TableBytes(Vec<u8>);

impl Serialize for TableBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<L: Language> data::table::Methods<L> for Table {
    fn length(&self) -> ArgResult<usize, L> {
        Ok(self.num_rows())
    }

    fn columns(&self) -> ArgResult<Vec<String>, L> {
        Ok(self.schema().fields().iter().map(|field| field.name().clone()).collect())
    }

    fn warnings(&self) -> ArgResult<Vec<String>, L> {
        Ok(self.warnings().map(ToString::to_string).collect())
    }

    fn metadata(&self, column: String) -> ArgResult<IndexMap<String, String>, L> {
        let pairs = self.field(&column).map(Field::metadata).into_iter().flatten();
        Ok(pairs.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn values(&self, column: String) -> ArgResult<ValueLabels, L> {
        let values = self.values(&column);
        Ok(values.map_err(|error| Error::invalid_argument(error.to_string()))?)
    }

    fn meaning(&self) -> ArgResult<ColumnMeanings, L> {
        Ok(self.meanings())
    }

    fn categories(&self) -> ArgResult<IndexMap<String, Vec<String>>, L> {
        Ok(self.categories().into_iter().collect())
    }

    fn rows(&self, part: RowsOptions) -> ArgResult<Rows, L> {
        Ok(Rows { table: self.clone(), part })
    }

    fn frequencies(&self, options: FrequenciesOptions) -> ArgResult<kinds::Blocking<Frequencies>, L> {
        let table = self.clone();
        Ok(Box::new(move || table.frequencies(&options)))
    }

    fn crosstab(&self, options: CrosstabOptions) -> ArgResult<kinds::Blocking<Crosstab>, L> {
        let table = self.clone();
        Ok(Box::new(move || table.crosstab(&options)))
    }

    fn quality(&self, options: QualityOptions) -> ArgResult<kinds::Blocking<Quality>, L> {
        let table = self.clone();
        Ok(Box::new(move || table.quality(&options)))
    }

    fn with_labels(&self, labels: String) -> ArgResult<kinds::Blocking<Self>, L> {
        let (table, labels) = (self.clone(), labels_of::<L>(&labels)?);
        Ok(Box::new(move || Ok(table.with_labels(labels))))
    }

    fn select(&self, columns: Vec<String>) -> ArgResult<Self, L> {
        Ok(self.select(&columns)?)
    }

    fn with_lists(&self) -> ArgResult<kinds::Blocking<Self>, L> {
        let table = self.clone();
        Ok(Box::new(move || Ok(table.with_lists())))
    }

    fn languages(&self) -> ArgResult<Vec<String>, L> {
        Ok(self.languages())
    }

    fn in_language(&self, language: String) -> ArgResult<Self, L> {
        Ok(self.in_language(&language)?)
    }

    fn with_missing(&self, options: MissingOptions) -> ArgResult<kinds::Blocking<Self>, L> {
        let missing_shown = match options.show.as_deref() {
            None => MissingShown::default(),
            Some(name) => MissingShown::of_name(name).ok_or_else(|| {
                Error::invalid_argument(format!("show must be null, code or reason, not {name:?}"))
            })?,
        };
        let table = self.clone();
        Ok(Box::new(move || table.with_missing(options.codes, missing_shown)))
    }

    fn in_time_zone(&self, name: String) -> ArgResult<Self, L> {
        let table = self.in_time_zone(&name);
        Ok(table.map_err(|error| Error::invalid_argument(error.to_string()))?)
    }

    fn without_time_zone(&self) -> ArgResult<kinds::Blocking<Self>, L> {
        let table = self.clone();
        Ok(Box::new(move || Ok(table.without_time_zone())))
    }

    fn time_zone(&self) -> ArgResult<Option<String>, L> {
        let has_none = |field: &FieldRef| matches!(field.data_type(), DataType::Timestamp(_, None));
        let naive = self.schema().fields().iter().any(has_none);
        Ok(if naive { Some(String::new()) } else { self.time_zone().map(ToOwned::to_owned) })
    }

    fn save(&self, options: SaveOptions) -> ArgResult<kinds::Call<SavedFile>, L> {
        let SaveOptions { path, format, shared, spreadsheet, separator, decimal, bom, weight, .. } = options;
        let options = FileOptions::default().shared(shared);
        let mut options = options.csv(spreadsheet, separator.as_deref(), decimal.as_deref(), bom)?;
        options.weight = weight;
        let table = self.clone();
        Ok(Box::pin(async move {
            let format = FileFormat::of_name(format.as_deref(), &path.0)?;
            table.save_with(&path.0, format, options).map(SavedFile::from)
        }))
    }

    fn to_bytes(&self) -> ArgResult<kinds::Blocking<TableBytes>, L> {
        let table = self.clone();
        Ok(Box::new(move || table.to_bytes().map(TableBytes)))
    }

    fn codebook(&self, options: CodebookOptions) -> ArgResult<kinds::Blocking<Codebook>, L> {
        let table = self.clone();
        Ok(Box::new(move || match options {
            CodebookOptions { frequencies: true, weight, .. } => {
                table.codebook_with_frequencies(weight.as_deref())
            }
            CodebookOptions { weight: Some(_), .. } => {
                Err(Error::invalid_argument("weight: a codebook without `frequencies` has no weights"))
            }
            CodebookOptions { .. } => Ok(table.codebook()),
        }))
    }
}

impl<L: Language> data::codebook::Methods<L> for Codebook {
    fn values(&self) -> ArgResult<Codebook, L> {
        Ok(self.values())
    }

    fn to_markdown(&self) -> ArgResult<String, L> {
        Ok(self.to_markdown())
    }

    fn to_html(&self) -> ArgResult<String, L> {
        Ok(self.to_html())
    }
}

/// The labels mode with this name.
pub fn labels_of<L: Language>(word: &str) -> Result<Labels> {
    Labels::of_name(word).ok_or_else(|| {
        let [yes, no] = L::TRUTH;
        Error::invalid_argument(format!("labels must be {yes}, {no} or \"both\", not {word:?}"))
    })
}
