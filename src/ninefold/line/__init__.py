"""Line mode: play at the terminal, one line at a time, in the words of the book."""
