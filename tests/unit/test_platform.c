/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a made-up getprop says of the platform, and the table of FrameInfo's slots. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"
#include "probe/governor.h"
#include "probe/platform.h"

static char dir[] = "/tmp/test_platform.XXXXXX";
static char getprop[sizeof(dir) + 16];

/* The only getprop there is from now on: a shell script with this text. */
static void write_getprop(const char *script)
{
	FILE *f = fopen(getprop, "we");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fprintf(f, "#!/bin/sh\n%s\n", script);
	fclose(f);
	CU_ASSERT_EQUAL(chmod(getprop, 0755), 0);
}

static void expect(unsigned sdk, const char *release, const char *model)
{
	struct platform p;

	memset(&p, 'x', sizeof(p));
	platform_read(&p);
	CU_ASSERT_EQUAL(p.sdk, sdk);
	CU_ASSERT_STRING_EQUAL(p.release, release);
	CU_ASSERT_STRING_EQUAL(p.model, model);
}

static void test_none(void)
{
	unlink(getprop);
	expect(0, "", "");
}

static void test_android(void)
{
	write_getprop("case $1 in\n"
		      "ro.build.version.sdk) echo 34 ;;\n"
		      "ro.build.version.release) echo 14 ;;\n"
		      "ro.product.model) echo 'Pixel 8 \"Pro\"' ;;\n"
		      "ro.build.fingerprint) echo google/husky/husky:14 ;;\n"
		      "esac");
	expect(34, "14", "Pixel 8 \"Pro\"");

	struct platform p;

	platform_read(&p);
	CU_ASSERT_STRING_EQUAL(p.build, "google/husky/husky:14");
}

/* Properties that are not set are printed as an empty line. */
static void test_unset(void)
{
	write_getprop("echo");
	expect(0, "", "");
	write_getprop("[ $1 != ro.product.model ] || printf sdk_gphone64");
	expect(0, "", "sdk_gphone64");
}

static void test_odd_values(void)
{
	char longest[PLATFORM_TEXT_LEN];

	write_getprop("echo -5");
	expect(0, "-5", "-5");
	write_getprop("echo 34x");
	expect(0, "34x", "34x");
	write_getprop("echo 99999999999999999999");
	expect(0, "99999999999999999999", "99999999999999999999");
	write_getprop("exit 1");
	expect(0, "", "");
	/* Far more than there is room for, and than a pipe holds. */
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	write_getprop("head -c 200000 /dev/zero | tr '\\0' a");
	expect(0, longest, longest);
}

/* One that hangs is given up, with all that was to be asked. */
static void test_hangs(void)
{
	uint64_t start = clock_monotonic_ns(), took;

	write_getprop("exec sleep 60");
	expect(0, "", "");
	took = clock_monotonic_ns() - start;
	CU_ASSERT_TRUE(took >= 2 * NSEC_PER_SEC);
	CU_ASSERT_TRUE(took < 10 * NSEC_PER_SEC);
}

static void test_layouts(void)
{
	static const struct {
		unsigned sdk, slots;
	} expected[] = {
		{ 0, 0 },   { 25, 0 },  { 26, 16 }, { 28, 16 }, { 29, 16 }, { 30, 17 }, { 31, 22 },
		{ 32, 22 }, { 33, 23 }, { 34, 23 }, { 35, 0 },  { 36, 24 }, { 37, 25 }, { 38, 0 },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		unsigned slots = platform_frame_info_layout(expected[i].sdk);

		CU_ASSERT_EQUAL(slots, expected[i].slots);
		CU_ASSERT_TRUE(!slots || platform_is_layout(slots));
	}
	CU_ASSERT_TRUE(platform_is_layout(16));
	CU_ASSERT_TRUE(platform_is_layout(25));
	CU_ASSERT_FALSE(platform_is_layout(0));
	CU_ASSERT_FALSE(platform_is_layout(18));
	CU_ASSERT_FALSE(platform_is_layout(26));
}

/* A CPU directory, made here, with two governors; one CPU has none, and "cpufreq" is no CPU. */
static void test_governors(void)
{
	char command[512], text[64];

	snprintf(command, sizeof(command),
		 "cd %s && for c in cpu0/cpufreq cpu1/cpufreq cpu2 cpu3/cpufreq cpufreq; do mkdir "
		 "-p "
		 "sys/$c; done && echo schedutil | tee sys/cpu0/cpufreq/scaling_governor "
		 "sys/cpu3/cpufreq/scaling_governor >/dev/null && echo performance "
		 ">sys/cpu1/cpufreq/scaling_governor",
		 dir);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	snprintf(command, sizeof(command), "%s/sys", dir);
	governor_read_in(command, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "performance, schedutil");
	governor_read_in("/nowhere", text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "");
	snprintf(command, sizeof(command), "rm -r %s/sys", dir);
	CU_ASSERT_EQUAL(system(command), 0);
}

int main(void)
{
	static const struct check_case cases[] = {
		/* clang-format off */
		{ "none", test_none },
		{ "android", test_android },
		{ "unset", test_unset },
		{ "odd_values", test_odd_values },
		{ "hangs", test_hangs },
		{ "layouts", test_layouts },
		{ "governors", test_governors },
		{ NULL, NULL },
		/* clang-format on */
	};
	char path[256];
	int ret;

	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	snprintf(getprop, sizeof(getprop), "%s/getprop", dir);
	/* A real one, should there be any, lies behind it. */
	snprintf(path, sizeof(path), "%s:/bin:/usr/bin", dir);
	setenv("PATH", path, 1);
	ret = check_main("platform", cases);
	unlink(getprop);
	if (rmdir(dir))
		perror(dir);
	return ret;
}
