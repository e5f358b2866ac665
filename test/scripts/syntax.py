"""Checks programs with a grammar: python3 syntax.py GRAMMAR FILE... Prints the files with errors, and fails."""

import importlib
import sys

from tree_sitter import Language, Parser

parser = Parser(Language(importlib.import_module(sys.argv[1]).language()))
broken = [path for path in sys.argv[2:] if parser.parse(open(path, "rb").read()).root_node.has_error]
print("\n".join(broken))
sys.exit(1 if broken else 0)
