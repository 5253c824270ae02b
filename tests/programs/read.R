# Writes what R reads from the .sav and .dta files of a folder: FILE.PACKAGE.csv, a line for each cell, label and missing code.
suppressPackageStartupMessages({
  library(haven)
  library(foreign)
})

plain <- function(cells) {
  if (inherits(cells, "Date")) return(format(cells, "%Y-%m-%d"))
  if (inherits(cells, "POSIXct")) return(sprintf("@%.3f", as.numeric(cells)))
  cells <- unclass(cells)
  if (is.numeric(cells)) sprintf("%.17g", cells) else as.character(cells)
}

lines <- function(kind, column, key, text) {
  if (length(text) == 0) return(NULL)
  data.frame(kind = kind, column = column, key = as.character(key), text = as.character(text))
}

# Lines of a column: `values` are named codes, `missing` codes or a range, `is_missing` the cells with a declared code.
column <- function(name, cells, label, values, missing, is_missing = FALSE, letters = NULL) {
  text <- plain(cells)
  there <- which(!is.na(unclass(cells)))
  kind <- if (length(is_missing) == length(text)) ifelse(is_missing, "missing cell", "cell")[there] else "cell"
  tagged <- which(!is.na(letters))
  rbind(
    lines("column", name, "", ""),
    lines("label", name, "", label),
    lines(kind, name, there, text[there]),
    lines("missing cell", name, tagged, letters[tagged]),
    lines("value", name, values, names(values)),
    lines("missing", name, seq_along(missing), missing)
  )
}

of_haven <- function(file) {
  is_spss <- endsWith(file, ".sav")
  frame <- if (is_spss) read_sav(file, user_na = TRUE) else read_dta(file)
  columns <- lapply(names(frame), function(name) {
    cells <- frame[[name]]
    values <- attr(cells, "labels")
    letters <- if (!is_spss && is.double(cells)) na_tag(cells)
    codes <- values
    if (!is.null(values)) codes <- ifelse(is.na(values), if (is.double(values)) na_tag(values), plain(values))
    names(codes) <- names(values)
    missing <- c(attr(cells, "na_values"), attr(cells, "na_range"))
    is_missing <- is_spss && !is.null(missing)
    is_missing <- if (is_missing) is.na(cells) & !is.na(unclass(cells)) else FALSE
    column(name, cells, attr(cells, "label"), codes, plain(missing), is_missing, letters)
  })
  do.call(rbind, columns)
}

of_foreign <- function(file) {
  list <- suppressWarnings(read.spss(file, use.value.labels = FALSE, to.data.frame = FALSE, use.missings = FALSE))
  labels <- attr(list, "variable.labels")
  columns <- lapply(names(list), function(name) {
    cells <- list[[name]]
    values <- attr(cells, "value.labels")
    attributes(cells) <- NULL
    # It divides long texts within a character.
    if (is.character(cells)) cells <- iconv(cells, "UTF-8", "UTF-8", sub = "?")
    # The last label of the file is the first here.
    column(name, cells, labels[[name]], rev(values), plain(attr(list, "missings")[[name]]$value))
  })
  do.call(rbind, columns)
}

write <- function(lines, file, package) {
  write.csv(lines, paste0(file, ".", package, ".csv"), row.names = FALSE, fileEncoding = "UTF-8", na = "")
}

folder <- commandArgs(trailingOnly = TRUE)[[1]]
for (file in list.files(folder, "[.](sav|dta)$", full.names = TRUE)) {
  write(of_haven(file), file, "haven")
  if (endsWith(file, ".sav")) write(of_foreign(file), file, "foreign")
}
