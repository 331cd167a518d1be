"""What pytest must know before it looks for examples in the sources."""

from importlib.util import find_spec

# The one module that cannot be imported without what it adapts to; OpenSpiel comes with the extra `bench`.
collect_ignore = [] if find_spec("pyspiel") else ["src/dizhu/envs/openspiel.py"]
