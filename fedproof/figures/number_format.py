"""Numbers as a caption prints them."""

from __future__ import annotations

import math
from collections.abc import Iterable

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 3) -> str:
    """A number to some significant digits, with a power of ten where that is shorter.

    >>> number(0.01), number(1234567.0), number(-2.5e-7), number(float("inf")), number(400)
    ('0.01', '1.23×10⁶', '−2.5×10⁻⁷', 'infinity', '400')
    """
    if not math.isfinite(value):
        return "undefined" if math.isnan(value) else "infinity" if value > 0 else "−infinity"
    size = math.floor(math.log10(abs(value))) if value else 0
    if -4 <= size < 5:
        text = f"{value:.{max(digits - 1 - size, 0)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        power = "10" + str(int(exponent)).translate(_SUPERSCRIPT)
        text = power if mantissa == "1" else f"{mantissa}×{power}"
    return text.replace("-", "−")


def listed(items: Iterable[str]) -> str:
    """Items joined as a sentence does.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', 'none')
    """
    *rest, last = list(items) or ["none"]
    return f"{', '.join(rest)} and {last}" if rest else last
