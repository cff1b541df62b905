"""A bot for a server that takes any free number: NINEFOLD_TOKEN=... python3 web_bot.py URL."""

import json
import os
import random
import sys

from websockets.sync.client import connect  # pip install websockets

url = sys.argv[1].rstrip("/").replace("http", "ws", 1) + "/ws"
headers = {"Authorization": f"Bearer {os.environ['NINEFOLD_TOKEN']}"}
agree = {"ask-undo": "accept-undo", "rematch": "rematch"}
with connect(url, additional_headers=headers) as socket:
    socket.send(json.dumps({"type": "ready"}))
    for message in map(json.loads, socket):
        answers = [{"type": "watch"}] if message["type"] == "game" else []
        if message["type"] == "event":
            view = message["view"]
            numbers = [str(tile["number"]) for tile in view["tiles"] if tile["free"]]
            others = [one["move"] for one in view["controls"] if "choose" not in one]
            if message["state"] == "playing" and view["turn"] == view["you"]:
                move = random.choice(numbers or others)
                answers.append({"type": "move", "move": move, "after": message["seq"]})
            asked = [one["kind"] for one in message["events"] if one["seat"] == 3 - view["you"]]
            answers += [{"type": agree[kind]} for kind in asked if kind in agree]
        for answer in answers:
            socket.send(json.dumps({**answer, "game": message["game"]}))
