"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

#: the paper's conventions and what it leaves unsaid amend these
VERDICTS = {
    "composite.theorem3.5": "holds amended",
    "composite.theorem3.6": "holds amended",
    "composite.theorem3.8": "holds amended",
    "composite.lemmaA1": "holds amended",
    "composite.lemmaA2": "holds amended",
    "composite.theorem3.5.rounds": "holds amended",
    "composite.theorem3.6.rounds": "holds amended",
    "composite.section3.pl.least_squares": "holds amended",
    "composite.section4.pl.logistic": "holds amended",
    # by one reading of the text
    "composite.section4.cnn": "holds amended",
}
