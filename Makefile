# The tasks themselves are in ./dev; these names are only shorter to type.
.PHONY: play test bench kill lock
play test bench kill lock:
	@python3 dev $@
