"""The rules of dominoes: plain Python, no framework, no clock, no chance."""
