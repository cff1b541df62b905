"""A bot with one fault, named on its command line; without one it behaves.

It takes the smallest free number. Standard library only: it is run as a program of its own.
"""

import os
import signal
import subprocess
import sys
import time

COMMANDS = (
    "protocol_version name version list_commands known_command boardsize clear_board play genmove "
    "undo showboard quit"
).split()


class Bot:
    """The board, and what becomes of each command."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.size = 9
        self.moves: list[str] = []

    def free(self) -> list[str]:
        """The numbers that can be taken."""
        return [str(n) for n in range(1, self.size + 1) if str(n) not in self.moves]

    def answer(self, words: list[str]) -> str:
        """The text of the response; raises ValueError for a refusal."""
        fault = self.fault
        match [word.lower() for word in words]:
            case ["protocol_version"]:
                return "3" if fault == "protocol-3" else "2"
            case ["name" | "version"]:
                return "" if fault == "nameless" else "Faulty 1"
            case ["list_commands"]:
                return "\n".join(self.listed())
            case ["known_command", name]:
                known = name in self.listed() or fault == "knows-all"
                return str(known).lower()
            case ["boardsize", size]:
                if fault == "nine-only" and size != "9":
                    raise ValueError("unacceptable size")
                self.size = int(size)
            case ["clear_board"]:
                if fault != "keeps-board":
                    self.moves.clear()
            case ["play", "b" | "w" | "black" | "white", move]:
                self.play(move)
            case ["genmove", "b" | "w" | "black" | "white"]:
                return self.genmove()
            case ["undo"]:
                if not self.moves or fault == "refuses-undo":
                    raise ValueError("cannot undo")
                if fault != "no-undo":
                    self.moves.pop()
            case ["showboard"]:
                return " ".join(self.free())
            case ["quit"]:
                pass
            case _:
                if fault == "accepts-all":
                    return ""
                if fault == "dies-of-unknown":
                    sys.exit(3)
                raise ValueError("unknown command or syntax error")
        return ""

    def listed(self) -> list[str]:
        """The commands, without one that is missing."""
        missing = {"no-showboard": "showboard", "unlists-undo": "undo"}.get(self.fault)
        return [name for name in COMMANDS if name != missing]

    def play(self, move: str) -> None:
        """Take a move of the other player."""
        if self.fault == "refuses-play" and self.moves:
            raise ValueError("I do not like that move")
        if move != "lost" and move not in self.free() and self.fault != "takes-anything":
            raise ValueError("illegal move")
        self.moves.append(move)

    def genmove(self) -> str:
        """Choose, or do what the fault says."""
        free, fault = self.free(), self.fault
        if fault == "sleeps":
            time.sleep(600)
        if fault == "exits":
            print("Traceback: everything is \x1b[31mlost\x1b[0m", file=sys.stderr)
            sys.exit(7)
        if fault == "killed":
            os.kill(os.getpid(), signal.SIGSEGV)
        if fault == "closes":
            os.close(1)
            time.sleep(600)
        if fault == "refuses":
            raise ValueError("no idea")
        answers = {
            "resigns": "resign",
            "taken": self.moves[0] if self.moves else "0",
            "outside": "77",
            "words": "the usual",
            "empty": "",
            "passes": "pass",
            "lost": "lost",
            "declares": "declare:1:2:3",
            "forgets": "1",
        }
        number = answers.get(fault, free[0] if free else "resign")
        if fault != "forgets":
            self.moves.append(number)
        return number


def write(text: str) -> None:
    """Write and flush."""
    sys.stdout.write(text)
    sys.stdout.flush()


def serve(fault: str) -> None:
    """Answer every line."""
    bot = Bot(fault)
    for line in sys.stdin:
        words = line.partition("#")[0].split() if fault != "no-comments" else line.split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            continue
        try:
            response = f"={number} {bot.answer(words)}"
        except ValueError as error:
            response = f"?{number} {error}"
        genmove = words[0] == "genmove"
        if fault == "wrong-id" and genmove:
            response = f"={int(number or 0) + 1} 1"
        if fault == "no-ids":
            response = f"= {response.partition(' ')[2]}"
        if fault == "garbage" and genmove:
            response = "\x1b[2Jhello {there}"
        if fault == "noise" and genmove:
            response = "= 1\n\n=99999999 2"
        if fault == "debug":
            response = f"thinking...\n{response}"
        if fault == "floods" and genmove:
            while True:
                write(f"={number} 1111111111111111111111111111\n")
        end = "\n" if fault == "no-empty-line" and genmove else "\n\n"
        write((response + end) * (2 if fault == "twice" and genmove else 1))
        if words == ["quit"] and fault not in ("stays", "ignores-sigterm", "children"):
            sys.exit(5 if fault == "exit-5" else 0)


def main(fault: str) -> None:
    """Begin the way the fault says, and serve."""
    if fault == "deaf":
        time.sleep(600)
    if fault == "banner":
        write("Welcome!\n")
    if fault == "stderr":
        os.set_blocking(2, True)
        sys.stderr.write("chatter\n" * 100_000)
    if fault in ("ignores-sigterm", "children"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if fault == "children":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(sys.argv[2], "w") as file:
            file.write(f"{os.getpid()} {child.pid}")
    serve(fault)
    if fault in ("ignores-sigterm", "children", "stays", "ignores-eof"):
        time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
