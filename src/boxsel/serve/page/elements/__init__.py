"""Elements of the page that NiceGUI has not, each with its script."""
