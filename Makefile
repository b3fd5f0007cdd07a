# Everyday commands. `make` alone lists them. The build itself is CMake's: see CMakePresets.json.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test quick clang clang-check debug odr asan asan-quick tsan coverage peers long fuzz fuzz-long bench bench-peers instructions format format-check tidy clean

JOBS ?= $(shell nproc)
# WERROR=ON turns warnings into errors; left empty, the build tree keeps what it had.
WERROR ?=
cmake_options := $(if $(WERROR),-DARTICULA_WERROR=$(WERROR))
HOURS ?= 8
program := build/release/bin/articula

# Reference numbers of third parties beside the checkout; tests that need them are skipped without.
ifneq ($(wildcard ../shared/reference),)
export ARTICULA_REFERENCE ?= $(realpath ../shared/reference)
endif

export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install every Debian package that any command below needs
	tools/setup build test peers clang tools

# Installs and builds what the program needs, no tests. A tree that builds the tests too stays as it is.
$(program): demo-build
.PHONY: demo-build
demo-build:
	tools/setup build
	[[ -f build/release/build.ninja ]] || cmake --preset release -DARTICULA_BUILD_TESTS=OFF $(cmake_options)
	cmake --build --preset release --target articula_program

demo: $(program) ## build the program, let it describe a robot and compute its torques, run a study and write its report
	$(program) check models/kuka_lwr4.yaml
	$(program) info models/kuka_lwr4.yaml
	$(program) eval models/kuka_lwr4.yaml --states examples/torques/states.json --compute inverse_dynamics
	$(program) run examples/kuka_lwr4/pd_motion.yaml --store build/demo.db
	$(program) report latest --store build/demo.db -o build/demo.html
	@echo "Open build/demo.html in a browser: the plots of that motion."

.PHONY: test-build
test-build:
	tools/setup build test
	cmake --preset release -DARTICULA_BUILD_TESTS=ON -DARTICULA_BUILD_BENCH=ON $(cmake_options)
	cmake --build --preset release

test: test-build ## build everything and run all tests
	ctest --preset release

quick: test-build ## the fast tests, before every commit
	ctest --preset release --label-exclude slow

clang: ## all tests, built with clang
debug: ## all tests, built without optimisation
asan: ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
tsan: ## the tests that start threads, under ThreadSanitizer
clang debug asan tsan:
	tools/setup build test clang
	cmake --preset $@ $(cmake_options)
	cmake --build --preset $@
	ctest --preset $@

# In the tree of the fuzz targets, whose library is built with both sanitizers.
asan_quick := base mechanism model text formats store
asan-quick: ## fast tests under AddressSanitizer and UndefinedBehaviorSanitizer: numbers, models, files, runs
	tools/setup build test clang
	cmake --preset fuzz -DARTICULA_BUILD_TESTS=ON
	cmake --build --preset fuzz --target $(asan_quick:%=%_test)
	ctest --test-dir build/fuzz --output-on-failure -R '^($(shell tr ' ' '|' <<<'$(asan_quick)'))[.]'

odr: ## fail when a name is defined twice in different ways: links the program with link-time optimisation
	tools/setup build
	cmake --preset odr $(cmake_options)
	cmake --build --preset odr

coverage: ## line coverage of the tests, in build/coverage/report/
	tools/setup build test tools
	cmake --preset coverage $(cmake_options)
	cmake --build --preset coverage
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage
	mkdir -p build/coverage/report
	gcovr --root . --filter src/ --object-directory build/coverage -j $(JOBS) --exclude-throw-branches \
	  --html-details build/coverage/report/index.html --print-summary

peers: ## compare with more engines: DART and Simbody
	tools/setup build test peers
	cmake --preset release -DARTICULA_BUILD_TESTS=ON -DARTICULA_BUILD_PEERS=ON $(cmake_options)
	cmake --build --preset release
	ctest --preset release --tests-regex '^peers_' --verbose

long: test-build ## the long run: 100,000 random mechanisms, forward after inverse dynamics
	ARTICULA_MECHANISMS=100000 build/release/tests/dynamics_test --gtest_filter='RoundTrip.*'

fuzz: ## run every fuzz target for a while; FUZZ="--runs 100000" changes how long
	tools/setup build clang
	tools/fuzz $(FUZZ)

fuzz-long: ## the same for HOURS (8) hours, as long as it is let; docs/fuzzing.md keeps count
	tools/setup build clang
	tools/fuzz --seconds 300 --rounds $$(($(HOURS) * 3600 / 300 * $(JOBS) / $$(ls fuzz/*_fuzz.cpp | wc -l) + 1)) --record $(FUZZ)

bench: ## build and run the benchmarks
	tools/setup build test
	cmake --preset release -DARTICULA_BUILD_BENCH=ON $(cmake_options)
	cmake --build --preset release --target articula_bench
	for bench in build/release/bench/*_bench; do [[ ! -x $$bench ]] || $$bench $(BENCH); done

bench-peers: ## times beside MuJoCo, KDL, DART and Simbody
	tools/setup build test peers
	cmake --preset release -DARTICULA_BUILD_BENCH=ON -DARTICULA_BUILD_PEERS=ON $(cmake_options)
	cmake --build --preset release --target peers_bench
	build/release/bench/peers/peers_bench

instructions: ## count the instructions of every algorithm; COUNT=--update writes them down
	tools/setup build test tools
	cmake --preset release -DARTICULA_BUILD_BENCH=ON $(cmake_options)
	cmake --build --preset release --target instructions
	tools/count-instructions $(COUNT)

.PHONY: readers
readers: ## install what reads our files in tests: @mcap/core, by npm, which tools/setup does not install
	mkdir -p build/readers
	cp tests/readers/package.json tests/readers/package-lock.json build/readers/
	npm ci --prefix build/readers --ignore-scripts --no-audit --no-fund

.PHONY: docs-tables
docs-tables: ## write the tables of the documentation anew from what the program reads
	tools/setup build test
	cmake --preset release -DARTICULA_BUILD_TESTS=ON $(cmake_options)
	cmake --build --preset release --target study_test
	ARTICULA_WRITE_TABLES=1 build/release/tests/study_test --gtest_filter=KindTables.AreThoseOfThePages

sources = git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' | xargs -0 -r

format: ## lay out all C++ files with clang-format
	tools/setup format
	$(sources) clang-format-16 -i

format-check: ## fail when a C++ file is not laid out so
	tools/setup format
	$(sources) clang-format-16 --dry-run --Werror

clang-check: ## what clang warns of, without compiling
	tools/setup build test clang
	cmake --preset clang -DARTICULA_BUILD_BENCH=ON
	tools/check-syntax build/clang

tidy: ## clang-tidy on all sources
	tools/setup build test clang tools
	cmake --preset clang $(cmake_options)
	run-clang-tidy-16 -quiet -j $(JOBS) -p build/clang '^$(CURDIR)/(src|apps|tests)/.*\.cpp$$'

clean: ## remove all build trees
	rm -rf build
