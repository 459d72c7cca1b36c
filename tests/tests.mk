# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How the tests are built. Every tests/unit/*.c is a CUnit program of its own, every
# tests/standins/*.c a stand-in (lib*.c a shared library), every tests/live/*.c and
# tests/bench/*.c a helper program of the scripts beside it. tests/standins/pipeline/*.c are one more
# stand-in, tests/live/pipeline/*.c are what those share that judge by its truth. So is what is in
# tests/standins/android; its lib*.c are built once for each layout of HWUI's FrameInfo.

PIPELINE := $(wildcard tests/standins/pipeline/*.[ch]) tests/standins/standin.h tests/standins/truth.h
ANDROID_LAYOUTS := 16 17 22 23 24 25
ANDROID_LIBS := $(foreach layout,$(ANDROID_LAYOUTS),$(patsubst tests/standins/android/%.c,\
	android/$(layout)/%.so,$(wildcard tests/standins/android/lib*.c)))
MINI_DEBUG_INFO := tests/standins/android/mini-debug-info
ANDROID_APP := $(filter-out tests/standins/android/lib%.c,$(wildcard tests/standins/android/*.[ch])) \
	$(wildcard tests/standins/pipeline/vgem.[ch]) tests/standins/pipeline/uapi.h \
	tests/standins/standin.h tests/standins/cause.h tests/standins/truth.h tests/standins/compat.h
COMPARERS := fence_compare unsignaled_compare cancel_compare android_compare
COMPARER_PARTS := $(wildcard tests/live/pipeline/*.[ch]) tests/csv.h
ANDROID_COMPARER_PARTS := $(wildcard tests/live/android/*.[ch])

VM_STANDIN_DIR := build/$(ARCH)/vm-standins

UNIT_BINS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))
TOOL_BINS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/bench/*.c tests/fuzz/*.c) \
	$(filter-out $(COMPARERS:%=tests/live/%.c),$(wildcard tests/live/*.c)) \
	$(filter-out tests/standins/lib%.c,$(wildcard tests/standins/*.c)))
PIPELINE_BINS := $(addprefix $(B)/tests/standins/,pipeline androidapp $(ANDROID_LIBS)) \
	$(COMPARERS:%=$(B)/tests/live/%)
STANDIN_LIBS := $(patsubst tests/%.c,$(B)/tests/%.so,$(wildcard tests/standins/lib*.c))

.PHONY: vm-standins fuzzers

# One libFuzzer target for each reader of stream/ and trace/, made of one file, and two more.
FUZZED := capture_file dump_text ftrace_text perfetto
FUZZERS := $(addprefix $(B)/tests/fuzz/libfuzzer/,$(FUZZED) gfxinfo budgets)

fuzzers: $(FUZZERS)
	@:

fuzzer = $(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS) -lm

$(FUZZED:%=$(B)/tests/fuzz/libfuzzer/%): $(B)/tests/fuzz/libfuzzer/%: tests/fuzz/libfuzzer/reader.c $(LIB)
	$(call say,CC,$@)
	$(fuzzer) -DREADER=$*_source

$(B)/tests/fuzz/libfuzzer/gfxinfo $(B)/tests/fuzz/libfuzzer/budgets: \
		$(B)/tests/fuzz/libfuzzer/%: tests/fuzz/libfuzzer/%.c $(LIB)
	$(call say,CC,$@)
	$(fuzzer)

check-build: $(UNIT_BINS) $(TOOL_BINS) $(PIPELINE_BINS) $(STANDIN_LIBS)
	@:

$(B)/tests/unit/%: tests/unit/%.c $(LIB)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -MMD -MP -o $@ $< $(LIB) $(LDLIBS) -lcunit -lm

$(B)/tests/standins/%.so: tests/standins/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Itests $(CPPFLAGS) -std=gnu11 -O1 -g $(WARNINGS) -fPIC -shared -MMD -MP -o $@ $<

$(B)/tests/%: tests/%.c $(LIB)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -MMD -MP -o $@ $< $(LIB) $(LDLIBS) -lm -ldl -lpthread

# Several files at once make several lists of dependencies; theirs are named here.
$(B)/tests/standins/pipeline: $(PIPELINE)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -o $@ $(filter %.c,$^) -ldl -lpthread

$(B)/tests/standins/androidapp: $(ANDROID_APP)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -o $@ $(filter %.c,$^) -ldl -lpthread

# The calls are no tail calls, so that the time within the app is the function's own. That addresses
# are not the offsets in the file is as in Android's libraries.
define android_lib
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Itests $(CPPFLAGS) -std=gnu11 -O1 -g -fno-optimize-sibling-calls $(WARNINGS) -fPIC \
		-shared -Wl,-Ttext-segment=0x40000 -DLAYOUT=$(notdir $(@D)) \
		$(if $(filter libhwui,$(*F)),-fvisibility=hidden) -o $@ $<
	$(Q)$(if $(filter libhwui,$(*F)),OBJCOPY=$(OBJCOPY) NM=$(NM) $(MINI_DEBUG_INFO) $@)
endef

.SECONDEXPANSION:
$(B)/tests/standins/android/%.so: tests/standins/android/$$(notdir $$*).c \
		tests/standins/android/link.h $(MINI_DEBUG_INFO)
	$(android_lib)

$(VM_STANDIN_DIR)/android/%.so: tests/standins/android/$$(notdir $$*).c \
		tests/standins/android/link.h $(MINI_DEBUG_INFO)
	$(android_lib)

$(B)/tests/live/android_compare $(VM_STANDIN_DIR)/android_compare: $(ANDROID_COMPARER_PARTS)

$(COMPARERS:%=$(B)/tests/live/%): $(B)/tests/live/%: tests/live/%.c $(COMPARER_PARTS)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -o $@ $(filter %.c,$^)

# Programs for the guests: static, as there are no libraries in them.
VM_STANDINS := burner storm
# All but the pipeline and the Android app, whose functions lie in libraries to be probed as on a
# phone. These and what they need of the C library are in the folder of the programs, /bin.
VM_LIBS := libEGL libgui libsync libui
VM_LOADER := $(if $(filter x86_64,$(ARCH)),ld-linux-x86-64.so.2,ld-linux-aarch64.so.1)

vm-standins: $(VM_STANDINS:%=$(VM_STANDIN_DIR)/%) $(VM_LIBS:%=$(VM_STANDIN_DIR)/%.so) \
	$(addprefix $(VM_STANDIN_DIR)/,pipeline androidapp $(ANDROID_LIBS) $(COMPARERS))
	@:

$(VM_STANDIN_DIR)/%: tests/standins/%.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -static -o $@ $< -lpthread

$(COMPARERS:%=$(VM_STANDIN_DIR)/%): $(VM_STANDIN_DIR)/%: tests/live/%.c $(COMPARER_PARTS)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -static -o $@ $(filter %.c,$^)

$(VM_STANDIN_DIR)/pipeline: $(PIPELINE)
$(VM_STANDIN_DIR)/androidapp: $(ANDROID_APP)

$(VM_STANDIN_DIR)/pipeline $(VM_STANDIN_DIR)/androidapp:
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(ALL_CFLAGS) -Wl,--dynamic-linker=/bin/ld.so -Wl,-rpath,/bin \
		-o $@ $(filter %.c,$^)
	$(Q)cp -L $$($(CC) -print-file-name=$(VM_LOADER)) $(@D)/ld.so
	$(Q)cp -L $$($(CC) -print-file-name=libc.so.6) $(@D)/libc.so.6

$(VM_STANDIN_DIR)/%.so: tests/standins/%.c tests/standins/standin.h
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -Itests $(CPPFLAGS) -std=gnu11 -O1 -g $(WARNINGS) -fPIC -shared -o $@ $<

-include $(UNIT_BINS:=.d) $(TOOL_BINS:=.d) $(STANDIN_LIBS:.so=.d)
