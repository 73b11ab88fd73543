"""The command line: one command a file; each parses, calls one public function and prints."""
