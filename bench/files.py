"""A table of 60 columns to a file of SPSS, Stata or Excel: `files.py WAY PORT ROWS FILE` prints CPU seconds, wall seconds, peak memory
above the table, and the size of the file. Other libraries get a frame without anything that they refuse."""

import os
import sys
import warnings

from service import Measured, settings


def frame_of(table):
    import pandas

    frame = table.to_pandas(nullable=False)
    frame.attrs.clear()
    for name in frame.columns:
        if isinstance(frame[name].dtype, pandas.DatetimeTZDtype):
            frame[name] = frame[name].dt.tz_localize(None)
        elif frame[name].dtype == object:
            whole = frame[name].dropna()
            if len(whole) and isinstance(whole.iloc[0], bool):
                frame[name] = frame[name].astype("float64")
            else:
                frame[name] = frame[name].fillna("").astype(str).astype(object)
    return frame


def pyreadstat_sav(frame, file):
    import pyreadstat

    pyreadstat.write_sav(frame, file, row_compress=True)


def pandas_dta(frame, file):
    frame.to_stata(file, version=118, write_index=False)


def openpyxl_xlsx(frame, file):
    frame.to_excel(file, engine="openpyxl", index=False)


PEERS = {"pyreadstat": pyreadstat_sav, "pandas": pandas_dta, "pandas + openpyxl": openpyxl_xlsx}


def main():
    import sondage

    warnings.simplefilter("ignore")
    way, port, rows, file = sys.argv[1:]
    with sondage.Client(**settings(port), page_size=5000) as client:
        table = client.interviews(int(rows), code_plan=False).table()
    kind = file.rpartition(".")[2]
    run, value = (PEERS[way], frame_of(table)) if way in PEERS else (getattr(sondage.Table, f"to_{kind}"), table)
    with Measured() as measured:
        run(value, file)
    print(measured.cpu, measured.wall, measured.peak, os.path.getsize(file))
    os.remove(file)


main()
