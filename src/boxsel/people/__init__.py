"""People: individuals with concepts and links that satisfy every statement, and their files."""
