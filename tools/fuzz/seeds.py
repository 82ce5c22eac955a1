"""Write the seeds of fuzz_uri: the texts of uri-test-suite, one a file of a zip."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path

SUITE = Path(__file__).parents[2] / "tests/published/syntax/URI.json"

with zipfile.ZipFile(sys.argv[1], "w") as out:
    for line in json.loads(SUITE.read_text("utf-8"))["cases"]:
        data = str(line["text"]).encode("utf-8", "surrogatepass")
        out.writestr(hashlib.sha256(data).hexdigest(), b"\2" + data)  # ConsumeUnicode: as UTF-8
