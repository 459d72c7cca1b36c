/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of a real library that has its symbols where Android's have them: the exported ones in
 * .dynsym, the others compressed in .gnu_debugdata. The compiler makes it; where everything is say
 * nm(1) and objdump(1) of the file before it is stripped.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "probe/debugdata.h"
#include "probe/elf.h"

/* The addresses of its code are not its offsets: the linker is told to put it elsewhere. */
static const char source[] =
	"#define HIDDEN __attribute__((visibility(\"hidden\"), noinline, used))\n"
	"int shown(int x) { return x + 1; }\n"
	"HIDDEN int kept_back(int x) { return x + 2; }\n"
	"static __attribute__((noinline, used)) int local(int x) { return x * 3; }\n"
	"HIDDEN int split(int x) __asm__(\"split.llvm.12345\");\n"
	"int split(int x) { return x * 5; }\n"
	"HIDDEN int cold(int x) __asm__(\"other.cold\");\n"
	"int cold(int x) { return x * 7; }\n"
	"HIDDEN int finish_new(int x) __asm__(\"_ZN1a6finishERNS_1bEli\");\n"
	"int finish_new(int x) { return x * 9; }\n"
	"HIDDEN int finish_cold(int x) __asm__(\"_ZN1a6finishERNS_1bE.cold\");\n"
	"int finish_cold(int x) { return x * 11; }\n"
	"#ifdef CFI\n"
	"void __cfi_check(void) {}\n"
	"#endif\n"
	"HIDDEN int jumped_body(int x) __asm__(\"jumped.cfi\");\n"
	"int jumped_body(int x) { return x * 13; }\n"
	"int jumped(int x) { return jumped_body(x); }\n";

/* As gdb's manual has it, section MiniDebugInfo. */
static const char build[] =
	"${CC:-cc} -shared -fPIC -O1 -g $FLAGS -Wl,--section-start=.text=0x41000 -o full.so src.c "
	"&& "
	"nm -D full.so --format=posix --defined-only | awk '{ print $1 }' | sort >dynsyms && "
	"nm full.so --format=posix --defined-only | awk '$2 ~ /[Tt]/ { print $1 }' | sort >funcs "
	"&& "
	"comm -13 dynsyms funcs >keep && "
	"objcopy --only-keep-debug full.so debug && "
	"objcopy -S --remove-section .comment --keep-symbols=keep debug mini && "
	"xz -kf mini && cp full.so lib.so && strip --strip-all -R .comment lib.so && "
	"objcopy --add-section .gnu_debugdata=mini.xz lib.so";

static char dir[] = "/tmp/test_debugdata.XXXXXX";

static int run(const char *script)
{
	char command[4096];

	snprintf(command, sizeof(command), "cd %s && { %s; } >log 2>&1", dir, script);
	return system(command); /* NOLINT(cert-env33-c) */
}

static struct elf_file *make(const char *flags)
{
	char path[64];
	struct elf_file *f = NULL;
	struct err e = { 0 };

	snprintf(path, sizeof(path), "%s/src.c", dir);
	FILE *src = fopen(path, "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(src);
	fputs(source, src);
	fclose(src);
	setenv("FLAGS", flags, 1);
	CU_ASSERT_EQUAL_FATAL(run(build), 0);
	snprintf(path, sizeof(path), "%s/lib.so", dir);
	CU_ASSERT_EQUAL_FATAL(elf_file_open(path, &f, &e), 0);
	return f;
}

/* What a tool prints about full.so, line by line. */
static FILE *tool(const char *command)
{
	char text[256];

	snprintf(text, sizeof(text), "cd %s && %s full.so", dir, command);
	FILE *f = popen(text, "re"); /* NOLINT(cert-env33-c) */
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	return f;
}

/* Where nm and objdump say that the function is in the file. */
static uint64_t offset_of(const char *function)
{
	uint64_t addr = 0, text_addr = 0, text_offset = 0;
	char line[512];
	FILE *f = tool("nm --defined-only");

	while (fgets(line, sizeof(line), f)) {
		char name[256];
		uint64_t at;

		if (sscanf(line, "%" SCNx64 " %*c %255s", &at, name) == 2 &&
		    !strcmp(name, function))
			addr = at;
	}
	pclose(f);
	f = tool("objdump -h");
	while (fgets(line, sizeof(line), f))
		sscanf(line, " %*d .text %*x %" SCNx64 " %*x %" SCNx64, &text_addr, &text_offset);
	pclose(f);
	CU_ASSERT_FATAL(addr && text_addr && text_offset && text_addr != text_offset);
	return addr - text_addr + text_offset;
}

static void expect(struct elf_file *f, const char *wanted, const char *function,
		   enum elf_table table)
{
	struct elf_place place;

	CU_ASSERT_EQUAL_FATAL(elf_file_function(f, wanted, &place), 0);
	CU_ASSERT_STRING_EQUAL(place.symbol, function);
	CU_ASSERT_EQUAL(place.offset, offset_of(function));
	CU_ASSERT_EQUAL(place.table, table);
	CU_ASSERT_TRUE(elf_file_executable(f, place.offset));
}

static void expect_none(struct elf_file *f, const char *wanted)
{
	struct elf_place place;

	CU_ASSERT_EQUAL(elf_file_function(f, wanted, &place), -ENOENT);
}

static void test_real_library(void)
{
	struct elf_file *f = make("");

	expect(f, "shown", "shown", ELF_DYNSYM);
	expect(f, "kept_back", "kept_back", ELF_DEBUGDATA);
	expect(f, "local", "local", ELF_DEBUGDATA);
	expect(f, "split", "split.llvm.12345", ELF_DEBUGDATA);
	expect(f, "split.llvm.12345", "split.llvm.12345", ELF_DEBUGDATA);
	expect(f, "jumped", "jumped", ELF_DYNSYM);
	expect(f, "_ZN1a6finishE*", "_ZN1a6finishERNS_1bEli", ELF_DEBUGDATA);
	expect(f, "kept_*", "kept_back", ELF_DEBUGDATA);
	expect_none(f, "other"); /* its cold part is not the function */
	expect_none(f, "kept_bac");
	expect_none(f, "source");
	expect_none(f, "_ZN1a6finishERNS_1bElii*");
	CU_ASSERT_PTR_NULL(elf_file_debugdata_problem(f));

	char *names[4] = { NULL };
	int n = elf_file_near(f, "kept_bakc", names, 4);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_STRING_EQUAL(names[0], "kept_back");
	free(names[0]);
	elf_file_close(f);
}

/* With control-flow integrity the exported name is only a jump to what the library itself calls. */
static void test_cfi(void)
{
	struct elf_file *f = make("-DCFI");

	expect(f, "jumped", "jumped.cfi", ELF_DEBUGDATA);
	expect(f, "shown", "shown", ELF_DYNSYM);
	elf_file_close(f);
}

/* The library with other bytes in the section. Returns what it is said to have wrong. */
static const char *problem_with(const char *script)
{
	static char text[128];
	struct elf_file *f = NULL;
	struct err e = { 0 };
	char path[64];
	struct elf_place place;

	CU_ASSERT_EQUAL_FATAL(run(script), 0);
	CU_ASSERT_EQUAL_FATAL(run("cp full.so bad.so && strip --strip-all bad.so && "
				  "objcopy --add-section .gnu_debugdata=packed bad.so"),
			      0);
	snprintf(path, sizeof(path), "%s/bad.so", dir);
	CU_ASSERT_EQUAL_FATAL(elf_file_open(path, &f, &e), 0);
	CU_ASSERT_EQUAL(elf_file_function(f, "shown", &place), 0);
	CU_ASSERT_EQUAL(elf_file_function(f, "kept_back", &place), -ENOENT);
	const char *problem = elf_file_debugdata_problem(f);
	snprintf(text, sizeof(text), "%s", problem ? problem : "");
	elf_file_close(f);
	return text;
}

static void test_damaged(void)
{
	elf_file_close(make(""));
	CU_ASSERT_PTR_NOT_NULL(strstr(problem_with("head -c 400 mini.xz >packed"), "no xz stream"));
	CU_ASSERT_PTR_NOT_NULL(strstr(problem_with("cp src.c packed"), "no xz stream"));
	CU_ASSERT_PTR_NOT_NULL(strstr(problem_with("xz -c src.c >packed"), "no ELF file"));
	CU_ASSERT_PTR_NOT_NULL(strstr(
		problem_with("cp mini m && printf '\\022' | dd of=m bs=1 seek=18 conv=notrunc "
			     "&& xz -c m >packed"),
		"another machine"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(problem_with("head -c 70000000 /dev/zero | xz -0 >packed"), "64 MiB"));
}

static void test_unpack(void)
{
	unsigned char *out = NULL;
	size_t len = 0;

	CU_ASSERT_EQUAL(debugdata_unpack("", 0, &out, &len), -EBADMSG);
	CU_ASSERT_EQUAL(debugdata_unpack("\3757zXZ", 6, &out, &len), -EBADMSG);
	CU_ASSERT_PTR_NULL(out);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "unpack", test_unpack },
		{ "real_library", test_real_library },
		{ "cfi", test_cfi },
		{ "damaged", test_damaged },
		{ NULL, NULL },
	};
	char command[64];

	if (!mkdtemp(dir)) {
		printf("FAIL debugdata: mkdtemp\n");
		return 1;
	}
	int failed = check_main("debugdata", cases);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) || failed; /* NOLINT(cert-env33-c) */
}
