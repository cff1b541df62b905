"""Line mode: a game at the terminal, one line at a time, in the words of its book."""
