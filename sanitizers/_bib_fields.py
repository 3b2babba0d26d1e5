"""The fields of a .bib file's entries."""

RAW = frozenset("url doi eprint file crossref xref related ids keywords urldate date isbn issn pdf localfile".split())
"""Fields that are not typeset, or that hold an address."""
