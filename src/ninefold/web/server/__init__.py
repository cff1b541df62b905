"""``ninefold serve``: games for everyone, over HTTP and WebSockets."""
