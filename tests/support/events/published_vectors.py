"""Published test vectors: some written out here, the large sets in a folder beside the checkout if it is there."""

import base64
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def folder() -> Path | None:
    """`shared/vectors` in one of the folders above the checkout."""
    return next((found for above in ROOT.parents if (found := above / "shared" / "vectors").is_dir()), None)


def probes() -> dict[str, dict[str, Any]]:
    """The plain RFC 6962 probes of transparency-dev/merkle by file name; empty where the folder is absent."""
    found = folder()
    return json.loads((found / "rfc6962-probes.json").read_text()) if found else {}


def tessera_log() -> dict[str, bytes]:
    """The files of transparency-dev/tessera's test log by path; empty where the folder is absent."""
    found = folder()
    files = json.loads((found / "tlog-states.json").read_text()) if found else {}
    return {path: base64.b64decode(data) for path, data in files.items()}


CT_ENTRIES = [
    bytes.fromhex(entry)
    for entry in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
CT_ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
CT_LEAVES = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7",
    "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "4271a26be0d8a84f0bd54c8c302e7cb3a3b5d1fa6780a40bcce2873477dab658",
    "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
    "46f6ffadd3d06a09ff3c5860d2755c8b9819db7df44251788c7d8e3180de8eb1",
]

TESSERA_ORIGIN = "example.com/log/testdata"
TESSERA_KEY = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx"
TESSERA_ENTRIES = [
    *(b"one", b"two", b"three", b"four", b"five", b"six", b"seven", b"eit", b"nain", b"ten"),
    *(b"ileven", b"twelf", b"threeten", b"fourten", b"fivten"),
]
TESSERA_ROOTS = {
    0: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    1: "0Nc2CrefWKseHj/mStd+LqC8B+NrX0btIiPt2SmN+ek=",
    2: "T1X2GdkhUjV3iyufF9b0kVsWFxIU0VI4EpNml2Teci4=",
    15: "rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs=",
}
TESSERA_SIGNATURE_15 = "M9e0luh4jTG+UMBqOUo9/q+yAEvx1ilBEniMvjf1zfcBOhg+CKubMt53MvIt/uEWP6zdkdIQzd/fmwlM/dlPWF74ewI="

NOTE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = (
    "This is an example message.\n\n— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
).encode()

WITNESS_KEY = "witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN"
COSIGNED = (
    "rome2026h1.example.org\n300\nlCkHUpkmVBEms2r2T1K6Og69+wUuuN3MIEW1/ezu2v0=\n\n— witness.example.org "
    "uKLPIAAAAABpVGeAhm2bOvKc3LaB9PFN1ruG19Y5yqslmcAAbhftnn1Zznmo0LXFZq4LGvqKqLX8jWlwLKasxEGTLIqAVusneCBmBw==\n"
).encode()
COSIGNED_ORIGIN_HASH = "000de184301123b9278c086a7d9f68c9577e83872224c197058fd90784ea9706"
