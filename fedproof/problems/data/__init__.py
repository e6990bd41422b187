"""From files to federated rows: readers, splits, labels, descriptions."""
