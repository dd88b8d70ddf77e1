"""Types that obey clauses: listed, searched, found by local search, and their witnesses."""
