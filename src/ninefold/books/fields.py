"""What each field of a rule book is for, in a line: for editors, for the docs, for ``new``."""

from collections.abc import Mapping

BOOK: Mapping[str, str] = {
    "id": "The short name of the game: letters, digits, dashes. Without it, the name of the file.",
    "title": "The name of the game as people say it. Without it, made from the id.",
    "order": "Where the book stands in lists: lower comes first.",
    "summary": "One line about the game. Without it, made from the rules.",
    "text": "The rules in your words. Without it, made from the rules, so that it is always right.",
    "notes": "Remarks that follow the rules.",
    "extends": "The book this one starts from: an id, or the path of a file relative to this one.",
    "default-reading": "Which reading is played if none is named. Without it, the book as it is.",
    "rules": "What the judge needs to know.",
    "words": "What is shown on screen. Every phrase has a default.",
    "play": "How the game is played, unless the players choose.",
    "readings": "Other ways to play, chosen with --reading: each changes a few fields of the book.",
    "examples": "Games the book shows, with what it says about them.",
    "claims": "What the book asserts about the game.",
}
READING: Mapping[str, str] = {
    "summary": "One line about the reading. Without it, the names of the fields it changes.",
    "text": "What is different, in your words.",
    "rules": "Fields of the rules that are different.",
    "words": "Phrases that are different.",
    "play": "Fields of play that are different.",
}
RULES: Mapping[str, str] = {
    "pool": 'The numbers: a range such as "1-9", or a list of up to 64 different whole numbers.',
    "wins": "What a player has to hold: families of sets. Without any, only the ending counts.",
    "ending": "Who wins if no number is left: each link decides or passes on; then it is a draw.",
    "hand-limit": "How many numbers a player may hold; one whose hand is full is skipped.",
    "in-order": "Whether the numbers count in the order taken (with a hand-limit as large).",
    "declare": "Whether a player must declare a set to win; otherwise it is seen at once.",
    "invalid": "What choosing a number that is not free means: retry, or lose-turn.",
    "misere": "Whether whoever completes a set loses.",
}
CRITERION: Mapping[str, str] = {
    "measure": "What is compared.",
    "prefer": "Whether the higher or the lower one wins.",
}
PLAY: Mapping[str, str] = {
    "on-timeout": "What running out of time costs: lose, lose-turn, or random (a random number).",
}
PHRASES: Mapping[str, str] = {
    "separator": "What stands between numbers.",
    "set-separator": "What stands between the numbers of a winning set; otherwise the separator.",
    "prompt": "How a player is asked for a number.",
    "question": "How a player is asked to declare a set.",
    "refused": "What is said about an input that is refused.",
    "advice": "What can be typed instead; {advice} in refused.",
    "taken": "Why a number of the pool is refused; {reason} in refused, {taken} in lost-choice.",
    "outside": "Why a number outside the pool is refused; used like taken.",
    "wrong-claim": "What is said about a declaration that is refused.",
    "exhausted": "What has happened when every number is taken; {exhausted} in an ending.",
    "hands-full": "What has happened when both hands are full; {exhausted} in an ending.",
    "victory": "Who has won; {victory} in won, lost and in every ending.",
    "time-up": "What is said when the time of a turn is over.",
    "drawn-for": "What is said when a random number is drawn for a player.",
}
LINES: Mapping[str, str] = {
    "opening": "Above the first turn.",
    "turn": "Before a player is asked.",
    "computer-turn": "Instead of turn and prompt where a computer moves; empty: as for people.",
    "moved": "After a number was taken.",
    "between": "Between two turns.",
    "retry": "Between a refusal and the prompt that comes back.",
    "not-yet": "After a move that could have won by its number of numbers, but did not.",
    "won": "When a player completes a set and wins.",
    "lost": "When a player completes a set and loses, in misère.",
    "lost-turn": "When a turn is lost on the clock.",
    "lost-choice": "When a turn is lost by choosing a number that is not free.",
    "board": "The whole state, on request.",
}
ENDINGS: Mapping[str, str] = {
    "resignation": "A player gave up.",
    "timeout": "A player lost on time.",
    "no-answer": "A program did not answer in time.",
    "crash": "A program stopped.",
    "unreadable-answer": "A program answered with something that is no move.",
    "illegal-answer": "A program answered with a move that is not allowed.",
    "refusal": "A program refused to move.",
    "draw": "Nobody won.",
}
MARKERS = "The two signs for the players' numbers in {line}."
ENDED = "What is shown when a game ends otherwise than by a set, by reason."
PLACEHOLDERS: Mapping[str, str] = {
    "player": "the player it is about: to move, or the one who moved, or the holder of the set",
    "opponent": "the other one",
    "marker": "the player's marker",
    "number": "the number chosen",
    "available": "the free numbers",
    "hand": "the player's numbers, in the order taken",
    "line": "the whole pool, taken numbers as markers in brackets",
    "goal": "the size of the smallest set, in words",
    "player1": "the name of player 1",
    "player2": "the name of player 2",
    "hand1": "the numbers of player 1",
    "hand2": "the numbers of player 2",
    "reason": "why an input is refused",
    "advice": "the phrase advice",
    "taken": "the phrase taken, or outside",
    "set": "the set that decided the game",
    "equation": "a set of three as x + y = z",
    "length": "the size of the set, in words",
    "family": "the family of the set",
    "Family": "the same with a capital letter",
    "a-family": "the same with an article",
    "step": "the common difference, or the common factor",
    "step-name": "difference, or ratio",
    "winner": "who won",
    "loser": "who lost",
    "last": "who took the last number",
    "exhausted": "the phrase exhausted, or hands-full",
    "sum1": "the sum of player 1's numbers",
    "sum2": "the sum of player 2's numbers",
    "run1": "the longest run of player 1",
    "run2": "the longest run of player 2",
    "victory": "the phrase victory",
}
