STEPS=frozenset()
