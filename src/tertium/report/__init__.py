"""Results as text: tables for terminals, papers, web pages and programs."""
