# The targets call the programs in scripts/.
PREFIX ?= /usr/local
DESTDIR ?=
FEED ?=
TARGET ?= all
MINUTES ?= 10
TEST_OPTIONS ?=
SWIFT_OPTIONS ?=
SWIFT_BUILD = swift build $(SWIFT_OPTIONS) --explicit-target-dependency-import-check error
RELEASE = $(SWIFT_BUILD) -c release --static-swift-stdlib --disable-local-rpath

.PHONY: build build-tests demo test sanitize fuzz check bench install deb dist docs clean

build:
	@scripts/setup build
	PODCASTD_SUBSET=programs $(RELEASE)
	@scripts/link-programs .build/release

# Not optimized, because that takes half the time, and because "make test" needs the same files.
demo:
	@scripts/setup demo
	@PODCASTD_SUBSET=demo scripts/with-progress "Building podcastd" $(SWIFT_BUILD)
	@scripts/demo $(FEED)

build-tests:
	@scripts/setup build test
	@scripts/with-progress "Building podcastd and its tests" $(SWIFT_BUILD) --build-tests
	@scripts/link-programs .build/debug

test: build-tests
	@scripts/run-tests $(TEST_OPTIONS)

sanitize:
	@scripts/setup build test
	@scripts/sanitize

fuzz:
	@scripts/setup build
	@scripts/fuzz "$(TARGET)" "$(MINUTES)"

# Warnings are errors here, and not for users: their compilers and libraries may warn of something new.
check: export PODCASTD_WARNINGS = errors
check: build
	@scripts/setup check
	@scripts/check

bench: build
	@scripts/setup bench
	@Benchmarks/run

docs:
	swift build --build-tests && scripts/link-programs .build/debug
	RECORD=1 swift test --skip-build --filter 'Manual|Golden|Table|Help|Completion' || true

install: build
	@scripts/setup install
	@scripts/install "$(DESTDIR)" "$(PREFIX)"

deb:
	@scripts/setup build deb
	@scripts/deb

dist:
	@scripts/dist

clean:
	swift package clean
