"""The stream: one small process that tells open pages that something changed."""
