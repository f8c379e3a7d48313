"""Template tags of the referee."""
