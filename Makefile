# Two commands: `make run` and `make test`. Both set everything up first.

.DEFAULT_GOAL := run

PY := .venv/bin/python

# random tests on cases that nobody has seen; SEED=n tells a round again, ROUNDS=n goes on
explore: setup
	@$(PY) -m tools.explore $(if $(SEED),--seed $(SEED)) $(if $(ROUNDS),--rounds $(ROUNDS))

# a wheel for this system and Python in dist/, with the solver compiled: some minutes of two cores
wheel: setup
	@MANIKIN_KERNELS=all $(PY) -m build --wheel --no-isolation

.PHONY: wheel run test check explore mutants guards bench validation docs words pictures notebooks installed lock setup clean

run: setup
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then \
		$(PY) main.py; \
	else \
		echo "No display: working on the default sample instead of opening the window."; \
		$(PY) main.py demo -o out; \
	fi

test check:
	@bash tools/setup.sh tests
	@$(PY) -m tools.check

guards: setup
	@$(PY) -m tools.check --without pytest

bench: setup
	@$(PY) -m benchmarks

validation: setup
	@$(PY) -m validation --write

# single faults in a copy of the program: do tests find them? ONLY='belt*', KERNELS=no; DRAWN=40 SEED=46 IN=app: of a draw
mutants: setup
	@set -f; $(PY) -m tools.mutants $(if $(ONLY),--only $(ONLY)) $(if $(filter no,$(KERNELS)),--no-kernels) \
		$(if $(DRAWN),--drawn $(DRAWN) $(if $(SEED),--seed $(SEED)) $(if $(IN),--in $(IN)))

# the pages that follow from the code, then all pages as a site in build/site/html, its links checked; QUICK=yes: no movies, notebooks not run
docs: setup
	@$(PY) -m tools.site $(if $(QUICK),--quick)

# newest versions of all libraries into constraints.txt, by which `setup` installs
lock: setup
	@$(PY) -m tools.lock

words: setup
	@$(PY) -m tools.words

pictures: setup
	@$(PY) -m tools.pictures

# the wheel in new environments outside the checkout: every example of the documents
installed: setup
	@$(PY) -m tools.installed

# the notebooks of the docs at full length; ONLY=study runs one
notebooks: setup
	@$(PY) -m tools.notebooks $(ONLY)

setup:
	@bash tools/setup.sh

clean:
	rm -rf .venv out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
