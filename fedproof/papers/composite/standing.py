"""What the proofs of composite FL may go by: functions, assumptions as formulas, what names mean."""

FUNCTIONS = {
    "loss": "real(vector)",
    "dloss": "vector(vector)",
    "slope": "vector(whole,vector)",
    "g": "real(vector)",
    "dg": "vector(vector)",
}
POINTS = "P plus tilde"
#: names that count steps, clients, rounds, entries
WHOLE = "tau n r t d ell K R1"
FORMULAS = (
    ("composite.assumption3.1.convex", "x y: vector", "g(x) + ip(dg(x), y - x) <= g(y)"),
    ("composite.convention.lipschitz", "x y: vector", "n2(dloss(x) - dloss(y)) <= L**2*n2(x - y)"),
)
MEANS: dict[str, str] = {
    "grad": "dloss(P)",
    "g_P": "g(P)",
    "g_tilde": "g(tilde)",
    "g_next": "g(plus)",
    "h_tilde": "dg(tilde)",
    "h": "dg(plus)",
    "f0": "loss(P)",
    "F0": "loss(P) + g(P)",
}
