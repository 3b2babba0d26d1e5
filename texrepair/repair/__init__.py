"""Repair by a model: what it is asked, what its answer means, and the rounds in which that happens."""
