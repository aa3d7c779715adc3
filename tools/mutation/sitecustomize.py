"""Makes each Python process a mutant, or a watcher of places, where the environment asks for it."""

import os

if "MUTANT" in os.environ or "MUTANT_HITS" in os.environ:
    from mutants import install

    install(dict(os.environ))
