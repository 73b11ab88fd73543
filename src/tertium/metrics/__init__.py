"""Metrics, one a file, each with the same two methods; see `tertium.metrics.protocol`."""
