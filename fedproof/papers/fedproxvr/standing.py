"""What the proofs of FedProxVR may go by: functions, assumptions as formulas, what names mean."""

#: not every step is brought down to the formulas below yet
LISTS = True
FUNCTIONS = {"slope": "vector(whole,vector)", "sample_slope": "vector(whole,vector)"}
POINTS = "start local least"
#: names that count steps, clients, rounds, entries
WHOLE = "tau N j"
FORMULAS = (
    (
        "fedproxvr.assumption1.smooth",
        "i: whole, x y: vector",
        "n2(sample_slope(i, x) - sample_slope(i, y)) <= L**2*n2(x - y)",
    ),
)
MEANS: dict[str, str] = {}
