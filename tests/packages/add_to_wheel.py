"""Adds a licence text to a wheel, and compresses it as far as possible: add_to_wheel.py WHEEL FILE NAME SOURCES.

maturin's bill of materials names the folder of the sources on this machine: it becomes `/sondage`, as in the library.
"""

import base64
import csv
import hashlib
import io
import pathlib
import sys
import zipfile
import zlib

from zopfli.zlib import compress

wheel, text, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_bytes(), sys.argv[3]
with zipfile.ZipFile(wheel) as old:
    files = {info: old.read(info) for info in old.infolist()}
for info in files:
    if "/sboms/" in info.filename:
        files[info] = files[info].replace(f"file://{sys.argv[4]}".encode(), b"file:///sondage")
    if sys.argv[4].encode() in files[info]:
        sys.exit(f"{info.filename} names the folder {sys.argv[4]} of this machine")
record = next(info for info in files if info.filename.endswith(".dist-info/RECORD"))
folder = record.filename.removesuffix("/RECORD")

added = zipfile.ZipInfo(f"{folder}/licenses/{name}", record.date_time)
added.external_attr, added.compress_type = record.external_attr, zipfile.ZIP_DEFLATED
files[added] = text
for info in files:
    if info.filename == f"{folder}/METADATA":
        head, _, body = files[info].partition(b"\n\n")
        files[info] = head + f"\nLicense-File: {name}\n\n".encode() + body

# RECORD is last, as tools expect it, and has no line with a digest for itself.
del files[record]
rows = io.StringIO()
lines = csv.writer(rows, lineterminator="\n")
for info, data in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    lines.writerow([info.filename, f"sha256={digest}", len(data)])
lines.writerow([record.filename, "", ""])
files[record] = rows.getvalue().encode()



class Packed:
    """Compresses a whole file with zopfli: 3 % smaller than zlib's best level, in a minute."""

    def __init__(self) -> None:
        self.data = b""

    def compress(self, data: bytes) -> bytes:
        self.data += data
        return b""

    def flush(self) -> bytes:
        # Strips the zlib header (two bytes) and checksum (four bytes).
        packed = compress(self.data, numiterations=5)[2:-4]
        assert zlib.decompress(packed, -zlib.MAX_WBITS) == self.data
        return packed


zipfile._get_compressor = lambda *_: Packed()  # type: ignore[attr-defined]  # zipfile takes no compressor of one's own.
whole = wheel.with_suffix(".next")
with zipfile.ZipFile(whole, "w") as new:
    for info, data in files.items():
        new.writestr(info, data, zipfile.ZIP_DEFLATED)
whole.replace(wheel)
