"""The verb `conditions`: the table of heterogeneity conditions, judged."""
