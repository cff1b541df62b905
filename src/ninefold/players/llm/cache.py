"""Answers kept on disk, each under a hash of the whole request, written whole or not at all."""

import json
import os
from hashlib import sha256
from threading import get_ident
from typing import Any

MAX_BYTES = 1 << 23


class Cache:
    """A folder of answers; a missing, damaged or unwritable one costs only the answer."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    @staticmethod
    def key(url: str, body: Any, sample: str = "") -> str:
        """The name of a request; ``sample`` tells repeated draws from one model apart."""
        whole = json.dumps([url, body, sample], sort_keys=True, separators=(",", ":"))
        return sha256(whole.encode()).hexdigest()

    def find(self, key: str) -> dict[str, Any] | None:
        """The answer to this request, if it is kept."""
        try:
            with open(self._path(key), encoding="utf-8") as file:
                found = json.loads(file.read(MAX_BYTES))
        except (OSError, ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def keep(self, key: str, answer: dict[str, Any]) -> None:
        """Write an answer; another process that reads meanwhile sees all of it or nothing."""
        path = self._path(key)
        draft = f"{path}.{os.getpid()}.{get_ident()}.new"
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(draft, "w", encoding="utf-8") as file:
                json.dump(answer, file)
            os.replace(draft, path)
        except OSError:
            return

    def _path(self, key: str) -> str:
        return os.path.join(self._folder, key[:2], f"{key}.json")


def usual_folder() -> str:
    """Where answers are kept if nobody says otherwise."""
    from platformdirs import user_cache_dir

    return os.path.join(user_cache_dir("ninefold", appauthor=False), "llm")
