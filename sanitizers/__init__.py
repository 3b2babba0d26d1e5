"""The rules: one file for each known pitfall.

A file holds a docstring (why it breaks, what is done, when nothing is done) and one `RULE = Rule(…)` with its examples,
which are its tests. It imports only texrepair.rules and texrepair.latex. Files whose names begin with an underscore are
shared helpers, not rules.
"""
