"""Writes the Python reference into a folder: `python site_reference.py FOLDER`."""

import sys
from pathlib import Path

import pdoc
import sondage

# The package loads its names on first use; pdoc uses those in `__all__`.
sondage.__all__ = [name for name in dir(sondage) if not name.startswith("_") and name != "TYPE_CHECKING"]

# Members that a public class inherits from a private class of ours are documented with the public one.
for name in sondage.__all__:
    public = getattr(sondage, name)
    for base in public.__mro__[1:] if isinstance(public, type) else ():
        if base.__module__.startswith("sondage._") and not hasattr(sondage, base.__name__):
            for attribute, value in vars(base).items():
                if not attribute.startswith("_") and attribute not in vars(public):
                    setattr(public, attribute, value)

pdoc.render.configure(docformat="google")
# The Spark module can be imported only with Spark.
pdoc.pdoc("sondage", "!sondage\\.spark", output_directory=Path(sys.argv[1]))
