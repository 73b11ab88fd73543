"""`python -m tertium` is the command line."""

from tertium.cli.main import main

if __name__ == "__main__":
    main()
