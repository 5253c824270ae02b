"""Checks what Android's build tools and devices need: `check_android.py FILE ...`, each an archive (.aar) or a library (.so)."""

import io
import sys
import zipfile
from pathlib import Path

from elftools.elf.elffile import ELFFile

# A device with memory pages of this size, in bytes, loads no library whose parts begin between them.
PAGE = 16_384
FILES = {"AndroidManifest.xml", "classes.jar", "proguard.txt", "R.txt"}
CLASSES = {
    "sondage/Client.class",
    "sondage/android/DeviceCertificates.class",
    "sondage/android/KeystoreTokenStore.class",
    "META-INF/THIRD-PARTY-NOTICES.txt",
    "META-INF/LICENSE-MIT",
    "META-INF/LICENSE-APACHE",
}
# What a text of the archive must have: the oldest Android, who is told of certificates, and what R8 keeps because JNA finds it by name.
TEXTS = [
    ("AndroidManifest.xml", 'minSdkVersion="26"'),
    ("AndroidManifest.xml", "sondage.android.DeviceCertificates"),
    ("proguard.txt", "com.sun.jna"),
]


# The JVM finds this function of the library by the name of the class and the method, which takes a context.
FUNCTION = "fn Java_sondage_android_DeviceCertificates_initialise<"
METHOD = [b"\x0ainitialise", b"(Landroid/content/Context;)V"]
SOURCE = Path(__file__).parents[2] / "bindings/uniffi/src/android.rs"


def library(name: str, content: bytes) -> None:
    parts = [part["p_align"] for part in ELFFile(io.BytesIO(content)).iter_segments("PT_LOAD")]
    if not parts or min(parts) % PAGE:
        sys.exit(f"{name} is aligned to {parts} bytes, not to {PAGE}")


def archive(path: Path) -> None:
    with zipfile.ZipFile(path) as aar, zipfile.ZipFile(aar.open("classes.jar")) as jar:
        classes = set(jar.namelist())
        if missing := (FILES - set(aar.namelist())) | (CLASSES - classes):
            sys.exit(f"{path} lacks {', '.join(sorted(missing))}")
        if blocking := [name for name in classes if name.startswith("sondage/Blocking")]:
            sys.exit(f"{path} has {blocking[0]}, which blocks")
        if libraries := [name for name in classes if name.endswith((".so", ".dylib", ".dll"))]:
            sys.exit(f"{path} has the library of another system: {libraries[0]}")
        method = jar.read("sondage/android/DeviceCertificates.class")
        if FUNCTION not in SOURCE.read_text() or not all(part in method for part in METHOD):
            sys.exit(f"{SOURCE} does not implement the method of DeviceCertificates")
        for name, text in TEXTS:
            if text not in aar.read(name).decode():
                sys.exit(f"{name} does not have {text}")
        for name in aar.namelist():
            if name.endswith(".so"):
                library(name, aar.read(name))


for argument in map(Path, sys.argv[1:]):
    if argument.suffix == ".so":
        library(argument.name, argument.read_bytes())
    else:
        archive(argument)
