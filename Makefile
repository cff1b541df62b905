# The tasks themselves are in ./dev; these names are only shorter to type.
.PHONY: play test bench bench-solver bench-envs levels kill lock
play test bench bench-solver bench-envs levels kill lock:
	@python3 dev $@
