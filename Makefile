# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# make            build/framescope
# make check      install what is missing, build, run every test
# make demo       install what is missing, build, record a real GLES program, print the report
# make check-vm   the tests in guests with other kernels; KERNEL=6.12 ARCH=arm64: one of them
# make check-btf BTF=FILE...   whether the kernel side fits kernels, by their BTF
# make check-fuzz FUZZ_SECONDS=N   libFuzzer against each reader of files, N seconds (60) each
# make install    to PREFIX (/usr/local)
# make release    static, stripped programs for both architectures, in build/release
# make bench      what a recording costs, as a table and as JSON
# make vm-standins   the programs that guests record, for ARCH
# make lint       clang-tidy, cppcheck, shellcheck, node; make format lays the code out
# make clean      removes build
# make help       this
#
# V=1 shows commands. SANITIZE=1 builds with ASan and UBSan, ARCH=x86_64 or ARCH=arm64 for another
# architecture than this machine's (each in a directory of its own).

VERSION := 0.1.0

V ?= 0
ifeq ($(V),0)
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(2)'
else
Q :=
say =
endif

# Of guests, those of one architecture are wanted only if the command line says so.
ARCH_ASKED := $(findstring command,$(origin ARCH))
# Each has one name here, whatever uname calls it.
HOST_ARCH := $(patsubst aarch64,arm64,$(shell uname -m))
ARCH ?= $(HOST_ARCH)
override ARCH := $(patsubst aarch64,arm64,$(ARCH))
ifeq ($(ARCH),x86_64)
BPF_ARCH := x86
TRIPLET := x86_64-linux-gnu
else ifeq ($(ARCH),arm64)
BPF_ARCH := arm64
TRIPLET := aarch64-linux-gnu
else
$(error framescope is for x86_64 and arm64; ARCH=$(ARCH) is neither)
endif

GUEST_ARCHS := $(if $(ARCH_ASKED),$(ARCH),x86_64 arm64)

# The compiler for another architecture, unless the command line names one.
ifneq ($(ARCH),$(HOST_ARCH))
ifneq ($(origin CC),command line)
CC := $(TRIPLET)-gcc
endif
ifneq ($(origin AR),command line)
AR := $(TRIPLET)-ar
endif
STRIP ?= $(TRIPLET)-strip
OBJCOPY ?= $(TRIPLET)-objcopy
NM := $(TRIPLET)-nm
endif
CC ?= cc
STRIP ?= strip
OBJCOPY ?= objcopy
NM ?= nm
CLANG ?= clang
BPFTOOL ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
CLANG_FORMAT ?= clang-format
PROTOC_C ?= protoc-c

ifeq ($(SANITIZE),1)
B := build/sanitize
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(FUZZ),1)
B := build/fuzz
CC := clang
SAN_FLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifneq ($(ARCH),$(HOST_ARCH))
B := build/$(ARCH)
SAN_FLAGS :=
else
B := build
SAN_FLAGS :=
endif

CPPFLAGS += -Iinclude -Iuser -I$(B)/gen -D_GNU_SOURCE -DFRAMESCOPE_VERSION='"$(VERSION)"' \
	-DPAGE_DIR='"$(B)/gen/page"'
WARNINGS := -Wall -Wextra -Werror -Wmissing-field-initializers -Wmissing-prototypes \
	-Wstrict-prototypes -Wshadow -Wundef -Wpointer-arith -Wvla
CFLAGS ?= -O2 -g
# Nothing here is unwound at run time; debuggers have .debug_frame. What is computed is the same on
# every machine, even on those that multiply and add in one step, without rounding in between.
ALL_CFLAGS := -std=gnu11 -ffp-contract=off -fno-asynchronous-unwind-tables $(CFLAGS) $(WARNINGS) $(SAN_FLAGS)
LDLIBS := -lbpf -lelf -lz -llzma -ljansson -lprotobuf-c -lm
BPF_CFLAGS := -g -O2 -target bpf -mcpu=v2 -D__TARGET_ARCH_$(BPF_ARCH) -Iinclude -Ivmlinux -Ibpf \
	-Wall -Wextra -Werror -Wno-unused-parameter

BPF_SRCS := $(wildcard bpf/*.bpf.c)
BPF_OBJS := $(BPF_SRCS:bpf/%.bpf.c=$(B)/bpf/%.bpf.o)
SKELETON := $(B)/gen/framescope.skel.h
LIB_SRCS := $(wildcard user/*/*.c)
PROTO_SRCS := $(patsubst user/proto/%.proto,$(B)/gen/proto/%.pb-c.c,$(wildcard user/proto/*.proto))
PROTO_OBJS := $(PROTO_SRCS:.c=.o)
LIB_OBJS := $(LIB_SRCS:%.c=$(B)/%.o) $(PROTO_OBJS)
MAIN_OBJ := $(B)/user/main.o
LIB := $(B)/libframescope.a

.PHONY: all help install release static clean check check-build check-vm check-btf check-fuzz bpf guest-programs demo bench lint format deps
.DELETE_ON_ERROR:
.SECONDARY:

PREFIX ?= /usr/local

all: $(B)/framescope
	@:

help:
	@sed -n '/^# make /,/^[^#]/s/^# \{0,1\}//p' Makefile

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX)/bin/framescope)
	$(Q)install -D -m 755 $(B)/framescope $(DESTDIR)$(PREFIX)/bin/framescope

$(B)/framescope: $(MAIN_OBJ) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIB): $(LIB_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/gen/proto/%.pb-c.c $(B)/gen/proto/%.pb-c.h: user/proto/%.proto
	$(call say,PROTO,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(PROTOC_C) --proto_path=user/proto --c_out=$(@D) $<

$(PROTO_OBJS): %.o: %.c
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(B)/%.o: %.c | $(SKELETON) $(PROTO_SRCS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/bpf/%.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MT $@ -c -o $@ $<

$(B)/bpf/framescope.o: $(BPF_OBJS)
	$(call say,BPFLINK,$@)
	$(Q)$(BPFTOOL) gen object $@ $^

bpf: $(BPF_OBJS)
	@:

# The page of HTML reports, in two parts, between which a report has its data. It says by their
# digests which style and which script a browser may take.
PAGE := user/html/page
PAGE_SCRIPTS := $(patsubst %,$(PAGE)/%.js,names data model format theme bars lanes detail plots \
	tables fences keys ui)
PAGE_PARTS := $(B)/gen/page/head.html $(B)/gen/page/tail.html

$(B)/gen/page/head.html: $(PAGE)/make $(PAGE)/page.html $(PAGE)/page.css $(PAGE_SCRIPTS)
	$(call say,PAGE,$(@D))
	$(Q)mkdir -p $(@D)
	$(Q)$(PAGE)/make $(@D) $(PAGE_SCRIPTS)

$(B)/gen/page/tail.html: $(B)/gen/page/head.html ;

$(B)/user/html/page.o: $(PAGE_PARTS)

$(SKELETON): $(B)/bpf/framescope.o
	$(call say,SKEL,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(BPFTOOL) gen skeleton $< name framescope_bpf > $@

# Newer releases of libelf need zstd, which their packages then bring along.
STATIC_LDLIBS := $(LDLIBS) $(if $(findstring /,$(shell $(CC) -print-file-name=libzstd.a 2>/dev/null)),-lzstd)

# Bytes that a phone is sent: 3 MiB.
RELEASE_MAX := 3145728

static: build/release/framescope-$(ARCH)
	@:

build/release/framescope-$(ARCH): $(MAIN_OBJ) $(LIB)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -static -Wl,-z,noseparate-code -o $@ $^ $(STATIC_LDLIBS)
	$(Q)$(STRIP) $@
	$(Q)[ $$(stat -c %s $@) -lt $(RELEASE_MAX) ] || { \
		echo "$@ has $$(stat -c %s $@) bytes, and should have less than $(RELEASE_MAX)"; exit 1; }

release:
	$(Q)scripts/install-deps build release
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) ARCH=x86_64 static
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) ARCH=arm64 static

include tests/tests.mk

deps:
	$(Q)scripts/install-deps build

# The list of checks is made after the installation, which may bring what they need.
check:
	$(Q)scripts/install-deps build unit
	$(Q)scripts/install-deps test || echo 'make check: goes on; what needs these is skipped'
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all check-build
ifneq ($(SANITIZE),1)
	$(Q)$(MAKE) --no-print-directory guest-programs || \
		echo 'make check: goes on; the guests that need these are skipped'
endif
	$(Q)BUILD=$(B) tests/run

# What the guests run, and their kernels. Whatever can't be had is said by its own test.
guest-programs:
	$(Q)rm -f $(GUEST_ARCHS:%=build/release/framescope-%)
	$(Q)scripts/install-deps build release vm || echo 'goes on without'
	$(Q)scripts/kernels fetch $(or $(KERNEL),all) $(and $(ARCH_ASKED),$(ARCH)) || echo 'goes on without'
	$(Q)status=0; for arch in $(GUEST_ARCHS); do \
		$(MAKE) --no-print-directory -j$$(nproc) ARCH=$$arch static vm-standins || status=1; \
	done; exit $$status

check-vm: guest-programs
	$(Q)KERNEL=$(KERNEL) ARCH=$(and $(ARCH_ASKED),$(ARCH)) tests/vm/run

check-btf:
	$(Q)$(MAKE) --no-print-directory ARCH=x86_64 bpf
	$(Q)$(MAKE) --no-print-directory ARCH=arm64 bpf
	$(Q)tests/btf/run $(BTF)

# The seeds are files that the product itself makes or has in its tests.
check-fuzz:
	$(Q)scripts/install-deps build fuzz
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) FUZZ=1 fuzzers
	$(Q)tests/fuzz/libfuzzer/run $(FUZZ_SECONDS)

demo:
	$(Q)scripts/install-deps build demo
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all
	$(Q)scripts/demo $(B)/framescope demo.fsc

bench:
	$(Q)scripts/install-deps build unit demo bench
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all check-build
	$(Q)BUILD=$(B) tests/bench/run

C_FILES := $(wildcard user/*.c user/*/*.[ch] include/framescope/*.h vmlinux/*.h bpf/*.[ch] tests/*.h \
	tests/*/*.[ch] tests/*/*/*.[ch])
SH_FILES := $(wildcard scripts/* user/html/page/make tests/run tests/*/run tests/*/*/run tests/*/*.sh tests/adb/adb \
	tests/adb/framescope tests/standins/android/mini-debug-info tests/vm/boot tests/vm/init \
	tests/vm/guest/*.sh .ci/run)

lint: $(SKELETON) $(PROTO_SRCS)
	$(call say,LINT,shellcheck)
	$(Q)shellcheck $(SH_FILES)
	$(call say,LINT,node)
	$(Q)cat $(PAGE_SCRIPTS) >$(B)/gen/page.js && node --check $(B)/gen/page.js
	$(call say,LINT,clang-format)
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(C_FILES) $(PAGE_SCRIPTS)
	$(call say,LINT,cppcheck)
	$(Q)cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
		--suppress=missingIncludeSystem -Iinclude -Iuser -Itests user tests
	$(call say,LINT,clang-tidy)
	$(Q)printf '%s\n' user/main.c $(LIB_SRCS) | xargs -P $$(nproc) -I{} \
		clang-tidy --quiet --warnings-as-errors='*' {} -- $(CPPFLAGS) -std=gnu11 2>/dev/null

format:
	$(Q)$(CLANG_FORMAT) -i $(C_FILES) $(PAGE_SCRIPTS)

clean:
	$(call say,CLEAN,build)
	$(Q)rm -rf build

-include $(LIB_OBJS:.o=.d) $(MAIN_OBJ:.o=.d) $(BPF_OBJS:.o=.d)
