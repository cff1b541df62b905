"""The long work behind the server, in worker processes with limits; nothing here knows HTTP."""
