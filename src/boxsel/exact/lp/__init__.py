"""Linear programmes over types: in floats, in exact arithmetic, and by column generation."""
