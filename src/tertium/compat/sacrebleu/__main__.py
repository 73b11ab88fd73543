"""`python -m tertium.compat.sacrebleu` says which command to run instead."""

from tertium.compat.sacrebleu.sacrebleu import main

if __name__ == "__main__":
    main()
