"""Certificates as Coq lemmas: what is written, how Coq is asked, and what it says."""
