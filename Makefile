# The tasks themselves are in ./dev; these names are only shorter to type.
.PHONY: play test bench bench-solver bench-envs levels kill lock train
play test bench bench-solver bench-envs levels kill lock train:
	@python3 dev $@
