"""How pictures of models are drawn, one kind a file; `boxsel.models.plots` is the door."""
