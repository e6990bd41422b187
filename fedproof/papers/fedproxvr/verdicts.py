"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

#: as printed; each has a correction beside it
VERDICTS = {
    "fedproxvr.section3.heterogeneous.theorem1": "refuted",
    "fedproxvr.remark1.1.svrg": "refuted",
    "fedproxvr.remark1.3.tau.everywhere": "refuted",
    "fedproxvr.remark1.4.monotone": "refuted",
    "fedproxvr.remark1.5.tau": "refuted",
}
