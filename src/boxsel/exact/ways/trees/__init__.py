"""What the way along trees is made of: bags, a population along them, regions of them."""
