# The files of three_files.py in R: `Rscript three_files.R FOLDER`.
setwd(commandArgs(trailingOnly = TRUE)[[1]])

# haven: codes with labels. Codes of missing answers are NA; with `user_na = TRUE` they stay, and `is.na()` is true of them.
library(haven)
answers <- read_sav("answers.sav")
print(table(as_factor(answers$satisfaction)))
with_codes <- read_sav("answers.sav", user_na = TRUE)
print(table(as_factor(with_codes$income), is.na(with_codes$income)))

# Stata's missing values have a letter, and the letter has a label.
stata <- read_dta("answers.dta")
print(table(na_tag(stata$income)))
print(attr(stata$satisfaction, "label"))

# foreign, for files of SPSS: days and times are seconds since 1582-10-14, and texts beyond 255 bytes several columns. It reads no
# Stata file after version 12.
old <- suppressWarnings(foreign::read.spss("answers.sav", to.data.frame = TRUE, use.value.labels = FALSE))
ended <- as.POSIXct(old$EndDate, origin = "1582-10-14", tz = "UTC")
print(range(ended) == range(answers$EndDate))

# readstata13: the whole text of each question, of which a label has 80 characters.
questions <- attr(readstata13::read.dta13("answers.dta", convert.factors = FALSE), "expansion.fields")
print(Filter(function(field) field[[1]] == "why_poor", questions)[[1]])

# survey: R takes the weight as a column; SPSS takes it from the file.
suppressPackageStartupMessages(library(survey))
answers$satisfaction <- as.numeric(answers$satisfaction)
design <- svydesign(ids = ~1, weights = ~weight, data = answers)
print(round(coef(svymean(~satisfaction, design, na.rm = TRUE)), 3))
