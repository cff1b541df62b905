"""Runs the Python examples of a page: each comment states the value of its expression."""

import ast
import re
import sys
from pathlib import Path


def check_examples(page: Path) -> int:
    """How many values a page states, all of which are true; what follows a colon is a remark."""
    scope: dict[str, object] = {}
    checked = 0
    for example in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        lines = example.splitlines()
        for node in ast.parse(example).body:
            comment = lines[(node.end_lineno or 1) - 1][node.end_col_offset or 0 :].strip(" #")
            source = ast.unparse(node)
            if comment and isinstance(node, ast.Expr):
                value = repr(eval(source, scope))
                assert comment == value or comment.startswith(f"{value}: "), (comment, value)
                checked += 1
            else:
                exec(source, scope)
    return checked


if __name__ == "__main__":
    print(check_examples(Path(sys.argv[1])))
