/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a survey says of libraries that the test maps: small images under the names of Android's,
 * whose functions lie where the images have them. tests/golden/probes.sh surveys real ones.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "elf_image.h"
#include "probe/survey.h"

static char dir[] = "/tmp/test_survey.XXXXXX";
static unsigned char image[ELF_IMAGE_SIZE];
static char path[256];

/* Make a library of the image, under that name, and map its code. */
static void *map_library(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, image, sizeof(image)), sizeof(image));
	void *at = mmap(NULL, sizeof(image), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	CU_ASSERT_FATAL(at != MAP_FAILED);
	close(fd);
	return at;
}

static void unmap_library(void *at)
{
	munmap(at, sizeof(image));
	unlink(path);
}

/* The entry of that point in the mapped library, or NULL. */
static const struct survey_entry *entry_of(const struct survey *s, const char *point)
{
	for (size_t i = 0; i < survey_count(s); i++) {
		const struct survey_entry *e = survey_at(s, i);

		if (e->file && !strcmp(e->file, path) && !strcmp(e->spec->name, point))
			return e;
	}
	return NULL;
}

static struct survey *survey_self(void)
{
	struct survey *s;
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(survey_open(&s, &e), 0);
	CU_ASSERT_EQUAL_FATAL(survey_process(s, getpid(), &e), 0);
	return s;
}

/* The image has the dequeue of Android 16 QPR2, and nothing else of libgui. */
static void test_found_and_missing(void)
{
	elf_image_build(image);
	void *at = map_library("libgui.so");
	struct survey *s = survey_self();
	const struct survey_entry *e = entry_of(s, "gui.dequeue");

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL(e->state, SURVEY_FOUND);
	CU_ASSERT_EQUAL(e->offset, 0x9f0);
	CU_ASSERT_EQUAL(e->table, ELF_SYMTAB);
	CU_ASSERT_STRING_EQUAL(e->form->releases, "16 QPR2+");
	CU_ASSERT_PTR_NULL(e->why);
	e = entry_of(s, "gui.release");
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL(e->state, SURVEY_MISSING);
	CU_ASSERT_PTR_NULL(e->symbol);
	CU_ASSERT_PTR_NULL(entry_of(s, "hwui.finish_frame"));

	/* seen once, however often it is looked for; what is nowhere is said at the end */
	struct err err = { 0 };
	size_t before = survey_count(s);
	CU_ASSERT_EQUAL(survey_process(s, getpid(), &err), 0);
	CU_ASSERT_EQUAL(survey_count(s), before);
	CU_ASSERT_EQUAL(survey_usual(s, &err), 0);
	CU_ASSERT_NOT_EQUAL(survey_count(s), before);
	for (size_t i = 0; i < survey_count(s); i++) {
		e = survey_at(s, i);
		CU_ASSERT_EQUAL(e->state == SURVEY_NO_LIBRARY, !e->file);
		CU_ASSERT_FALSE(e->state == SURVEY_NO_LIBRARY &&
				!strcmp(e->spec->lib, "libgui.so"));
	}
	survey_close(s);
	unmap_library(at);
}

/* A function of 32-bit code is shown, and why it is left alone. */
static void test_narrow(void)
{
	static const char name[] = "sync_wait";

	elf_image_build32(image);
	memcpy(image + ELF_IMAGE32_STRTAB + 1, name, sizeof(name));
	void *at = map_library("libsync.so");
	struct survey *s = survey_self();
	const struct survey_entry *e = entry_of(s, "sync.wait");

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL(e->state, SURVEY_NOT_PROBED);
	CU_ASSERT_EQUAL(e->offset, 0x910);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e->why);
	CU_ASSERT_PTR_NOT_NULL(strstr(e->why, "32-bit"));
	survey_close(s);
	unmap_library(at);
}

static void test_no_process(void)
{
	struct survey *s;
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(survey_open(&s, &e), 0);
	CU_ASSERT_EQUAL(survey_process(s, 0x7fffffff, &e), -ESRCH);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, "2147483647"));
	CU_ASSERT_EQUAL(survey_count(s), 0);
	survey_close(s);
	survey_close(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "found_and_missing", test_found_and_missing },
		{ "narrow", test_narrow },
		{ "no_process", test_no_process },
		{ NULL, NULL },
	};

	if (!mkdtemp(dir)) {
		printf("FAIL survey: mkdtemp\n");
		return 1;
	}
	int failed = check_main("survey", cases);
	rmdir(dir);
	return failed;
}
