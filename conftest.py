"""What pytest must know before it looks for examples in the sources."""

from importlib.util import find_spec

# Alembic runs this one; it cannot be imported.
collect_ignore = ["src/dizhu/server/store/migrations/env.py"]

# The one module that cannot be imported without what it adapts to; OpenSpiel comes with the extra `bench`.
if not find_spec("pyspiel"):
    collect_ignore.append("src/dizhu/envs/openspiel.py")
