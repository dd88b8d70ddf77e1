"""Text: the grammar of `.sel`, its readers, and what they say about mistakes."""
