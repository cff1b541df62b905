"""Random TOML, written in every style the language has, with the same content in mind."""

import json
from random import Random

Value = object
_BARE = "abcdefghijklmnopqrstuvwxyzABC0123456789-_"
_ODD = [*"ab.=#[]{}\"'\\é ☃", "\t"]


class Writer:
    """Writes one random document."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []

    def document(self) -> str:
        """A document that is valid TOML."""
        self._fields(3)
        for _ in range(self.random.randrange(4)):
            self._table((self._new_key(),), 2)
        return self._end().join(self.lines) + self.random.choice(["", "\n", "  # end"])

    def _end(self) -> str:
        return "\r\n" if self.random.random() < 0.1 else "\n"

    def _table(self, path: tuple[str, ...], depth: int) -> None:
        repeated = self.random.random() < 0.4
        for _ in range(self.random.randint(1, 3) if repeated else 1):
            space = self._space()
            dotted = f"{space}.{space}".join(path)
            header = f"[[{space}{dotted}{space}]]" if repeated else f"[{space}{dotted}{space}]"
            self.lines += [self._space() + header + self._comment()]
            self._fields(2)
            if depth and self.random.random() < 0.5:
                self._table((*path, self._new_key()), depth - 1)

    def _fields(self, most: int) -> None:
        for _ in range(self.random.randrange(most + 1)):
            if self.random.random() < 0.3:
                self.lines += [self.random.choice(["", "# a = 1", "  ", "#[x]", '# """'])]
            self.lines += [self._space() + self._field(2) + self._comment()]

    def _field(self, depth: int) -> str:
        space = self._space()
        parts = [self._new_key() for _ in range(1 + (self.random.random() < 0.2))]
        return f"{space}.{space}".join(parts) + f"{space}={space}{self._value(depth)}"

    def _value(self, depth: int) -> str:
        kinds = ["text", "number", "plain"] + ["list", "table"] * (depth > 0)
        kind = self.random.choice(kinds)
        if kind == "text":
            return self._text()
        if kind == "number":
            return str(self.random.randint(-99, 99))
        if kind == "list":
            return self._list(depth)
        if kind == "table":
            fields = [self._field(depth - 1) for _ in range(self.random.randrange(3))]
            return "{" + ", ".join(fields) + self._space() + "}"
        return self.random.choice(
            ["true", "1.5e3", "0x1F", "1979-05-27 07:32:00", "07:32:00", "nan"]
        )

    def _list(self, depth: int) -> str:
        gaps = ["", " ", "\n", " # ]\n", "\n  # a = [\n  "]
        items = [self._value(depth - 1) for _ in range(self.random.randrange(4))]
        text = "".join(
            f"{self.random.choice(gaps)}{item}{self.random.choice(gaps)}," for item in items
        )
        if items and self.random.random() < 0.5:
            text = text[:-1]
        return f"[{text}{self.random.choice(gaps)}]"

    def _text(self) -> str:
        content = "".join(self.random.choice(_ODD) for _ in range(self.random.randrange(6)))
        kind = self.random.randrange(4)
        if kind == 0:
            return json.dumps(content, ensure_ascii=False)
        if kind == 1:
            return "'" + content.replace("'", "") + "'"
        if kind == 2:
            body = json.dumps(content, ensure_ascii=False)[1:-1]
            return '"""' + self.random.choice(["", "\n", '"', '""a']) + body + '\n[x]\na = 1"""'
        return "'''" + content.replace("'", "") + "\n# [[x]]''" + "'''"

    def _new_key(self) -> str:
        """A key that no other has, bare or in quotation marks."""
        self.count = getattr(self, "count", 0) + 1
        bare = "".join(self.random.choice(_BARE) for _ in range(3)) + str(self.count)
        odd = "".join(self.random.choice(_ODD) for _ in range(3)) + str(self.count)
        kind = self.random.randrange(4)
        if kind == 0:
            return json.dumps(odd, ensure_ascii=False)
        return f"'{odd.replace(chr(39), '')}'" if kind == 1 else bare

    def _space(self) -> str:
        return self.random.choice(["", "", " ", " \t"])

    def _comment(self) -> str:
        return self.random.choice(["", "", " # x", '# "', "# [y]"])
