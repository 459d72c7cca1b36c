/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page's own text, as the build made it of the files in page/. */
#include "html/page.h"

/* clang-format off */
#define EMBED(name, file)                          \
	__asm__(".section .rodata\n"               \
		".global " #name "\n"              \
		#name ":\n"                        \
		".incbin \"" file "\"\n"           \
		".byte 0\n"                        \
		".previous\n")
/* clang-format on */

EMBED(html_page_head, PAGE_DIR "/head.html");
EMBED(html_page_tail, PAGE_DIR "/tail.html");
