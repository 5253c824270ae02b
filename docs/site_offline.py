"""Removes what pages of a folder load from other sites: `python site_offline.py FOLDER`.

Dokka's pages load a playground, and its style sheet fonts.
"""

import re
import sys
from pathlib import Path

PARTS = {".html": {"<script.*?</script>": 'src="https://'}, ".css": {"@import.*?;": "https://", "@font-face.*?}": "https://"}}

for file in Path(sys.argv[1]).rglob("*"):
    for part, words in PARTS.get(file.suffix, {}).items():
        text = file.read_text("utf-8")
        file.write_text(re.sub(part, lambda found: "" if words in found[0] else found[0], text, flags=re.DOTALL), "utf-8")
