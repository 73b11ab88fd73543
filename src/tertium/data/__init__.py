"""Test sets: segments, references, and the files they come in."""
