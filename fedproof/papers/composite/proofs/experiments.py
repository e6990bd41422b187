"""Sec. 4: the step sizes of the figures against (13), and what the text says of them.

Learning curves are runs on data and are not decided here; `composite.section4.*` list them.
"""

from fedproof.papers.composite.proofs.vectors import *
from fedproof.papers.composite.statements import formulas as f

by = step_writer("composite", __name__)


def _step(name: str, where: str, values: tuple[int, int, int], most: int) -> Step:
    """What (13) asks of L at a figure's step sizes."""
    local, server, steps = values
    with printed():
        return by.real(f"section4.{name}.step", f"{where}, (13), first inequality")(
            L <= rational(1, most),
            L > 0,
            f.STEP,
            ETA_T,
            assume(f"definition: {where}", Eq(eta, local), Eq(eta_g, server), Eq(tau, steps)),
            note="What the first inequality of (13) asks of L; features of the paper's data make L far "
            "larger.",
        )


def _server(name: str, where: str, values: tuple[int, int], **more: object) -> Step:
    """The second inequality of (13) at a figure's step sizes."""
    server, clients = values
    with printed():
        return by.real(f"section4.{name}.server", f"{where}, (13), second inequality")(
            f.SERVER,
            assume(f"definition: {where}", Eq(eta_g, server), Eq(n, clients)),
            **more,
        )


FIGURE2 = (
    _step("figure2.tau1", "Fig. 2, tau = 1", (4, 15, 1), 600),
    _step("figure2.tau10", "Fig. 2, tau = 10", (4, 15, 10), 6000),
    _server("figure2", "Fig. 2", (15, 30)),
)
FIGURE3 = (
    _step("figure3", "Fig. 3", (2, 8, 20), 3200),
    _server("figure3", "Fig. 3", (8, 30)),
)
with printed():
    FIGURE4 = by.real("section4.figure4.server", "Fig. 4, (13), second inequality")(
        eta_g < rational(3, 2),
        assume("definition: Fig. 4", Eq(eta_g, 1)),
        note="(13) asks for 3/2 at least; the text does not say that Fig. 4 satisfies (13). The sharpened "
        "theorems ask for eta_g >= 1.",
    )
    FIGURE4_SHARP = by.real("section4.figure4.sharpened", "Fig. 4, the sharpened theorems")(
        f.SHARP_SERVER,
        assume("definition: Fig. 4", Eq(eta_g, 1)),
    )
    LONGER = by.real("section4.figure2.longer", "Fig. 2")(
        Eq(eta_t, 10 * (eta * eta_g * 1)),
        ETA_T,
        assume("definition: Fig. 2, tau = 10", Eq(tau, 10)),
        note="With eta and eta_g the same, eta~ is ten times as long with tau = 10 as with tau = 1: what "
        "takes a tenth of the rounds is the longer step.",
    )
