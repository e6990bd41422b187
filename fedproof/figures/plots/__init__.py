"""Pictures of results, one file a kind: what `.plot` of a result draws."""
