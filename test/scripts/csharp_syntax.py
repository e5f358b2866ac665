"""Checks C# programs with a grammar: python3 csharp_syntax.py FILE... Prints the files with errors, and fails."""

import sys

import tree_sitter_c_sharp
from tree_sitter import Language, Parser

parser = Parser(Language(tree_sitter_c_sharp.language()))
broken = [path for path in sys.argv[1:] if parser.parse(open(path, "rb").read()).root_node.has_error]
print("\n".join(broken))
sys.exit(1 if broken else 0)
