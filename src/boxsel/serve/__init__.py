"""The server: a REST API over worker processes, and the doors that guard it."""
