# The tasks themselves are in ./dev; these names are only shorter to type.
.PHONY: play test bench bench-solver bench-envs levels audits docs kill env-games train fuzz lock
play test bench bench-solver bench-envs levels audits docs kill env-games train fuzz lock:
	@python3 dev $@
