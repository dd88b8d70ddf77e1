"""Files: the formats that a knowledge base is read from and written to."""
