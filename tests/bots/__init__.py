"""Programs that speak the Go Text Protocol, well or badly."""
