"""The pieces that reports share: documents, drawings, charts, and the forms they are written in."""
