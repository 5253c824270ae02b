# The weighted table of two columns, and the test of its independence, as the package survey has them.
suppressPackageStartupMessages(library(survey))
rows <- read.csv(file.path(commandArgs(TRUE)[[1]], "rows.csv"), colClasses = c("character", "character", "numeric"))
design <- svydesign(ids = ~1, weights = ~weight, data = rows)
counts <- as.data.frame(svytable(~ row + by, design), stringsAsFactors = FALSE)
cat(sprintf("%s\t%s\t%.17g\n", counts$row, counts$by, counts$Freq), sep = "")
# It has no test of a table with many empty cells.
p <- tryCatch(svychisq(~ row + by, design)$p.value, error = function(error) NA)
cat(sprintf("\t\t%.17g\n", p))
