"""Reports as pages: the document, and the forms it is written in."""
