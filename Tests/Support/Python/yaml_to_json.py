"""Reads YAML as Home Assistant writes it from standard input and prints it as JSON; `!secret NAME` becomes "secret:NAME"."""
import json
import sys

import yaml


class Loader(yaml.SafeLoader):
    """Knows Home Assistant's tag for secrets, and refuses a key that occurs twice."""

    def construct_mapping(self, node, deep=False):
        names = [key.value for key, _ in node.value]
        if len(names) != len(set(names)):
            raise yaml.constructor.ConstructorError(None, None, f"a key occurs twice: {names}", node.start_mark)
        return super().construct_mapping(node, deep)


Loader.add_constructor("!secret", lambda loader, node: "secret:" + loader.construct_scalar(node))
json.dump(yaml.load(sys.stdin, Loader), sys.stdout)
