"""The figures of fedprox, a file a figure: `SPEC`, `compute`, `draw` and `caption`."""
