"""Pages that open from a folder: what holds, what does not, and by what margin."""

from fedproof.vocabulary.verbs import make_callable

make_callable(__name__)
