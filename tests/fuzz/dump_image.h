/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged dumps: texts put together of a dump's lines are changed, some turned into UTF-16. Input
 * number N is always the same bytes.
 */
#ifndef TESTS_DUMP_IMAGE_H
#define TESTS_DUMP_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "fuzz/random.h"

#define IMAGE_SIZE (512u << 10)
#define TEXT_SIZE (IMAGE_SIZE / 2 - 4)

#define HEADER_16                                                                                  \
	"Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"            \
	"AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"                    \
	"IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"                 \
	"QueueBufferDuration,\n"
#define HEADER_23                                                                                  \
	"Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,"            \
	"AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,"             \
	"FrameStartTime,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"   \
	"DequeueBufferDuration,QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,"             \
	"DisplayPresentTime,CommandSubmissionCompleted,\n"

/* In the order of a dump. */
static const char *const lines[] = {
	"Applications Graphics Acceleration Info:\n",
	"Uptime: 26045845 Realtime: 26047725\n",
	"** Graphics info for pid 28907 [org.example.a] **\n",
	"Note: Data has been filtered!\n",
	"Stats since: 15947409802641ns\n",
	"Total frames rendered: 3370\n",
	"Janky frames: 363 (10.77%)\n",
	"Janky frames (legacy): 1614 (47.89%)\n",
	"50th percentile: 18ms\n",
	"Number Missed Vsync: 63\n",
	"Number Frame deadline missed (legacy): 335\n",
	"HISTOGRAM: 5ms=2 6ms=7 150ms=24 4950ms=0\n",
	"99th gpu percentile: 9ms\n",
	"GPU HISTOGRAM: 1ms=102 4950ms=1\n",
	"\n",
	"Profile data in ms:\n",
	"\tToast/android.view.ViewRootImpl@1720d3b (visibility=0)\n",
	"\tDraw\tPrepare\tProcess\tExecute\n",
	"\t33.10\t0.43\t13.83\t3.75\n",
	"\tDraw\tProcess\tExecute\n",
	"\t28.96\t0.48\t13.33\n",
	"Window: Toast\n",
	"---PROFILEDATA---\n",
	HEADER_16,
	"0,100,100,9223372036854775807,0,120,121,122,130,140,141,142,150,160,1,2,\n",
	HEADER_23,
	"0,35,100,100,0,110,111,112,120,200,105,16,130,140,141,150,160,1,2,170,155,7,151,\n",
	"0,36,116,116,0,120,121,122,130,216,121,16,140,150,151,160,100,1,2,180,165,7,161,\n",
	"---PROFILEDATA---\n",
	"View hierarchy:\n",
	"16666666\n",
	"1000\t2000\t1500\n",
	"1016\t9223372036854775807\t1516\n",
};

static const char *const tokens[] = {
	",",
	"-",
	"\n",
	"\r\n",
	"\t",
	" ",
	".",
	"ms=",
	"0",
	"9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808",
	"99999999999999999999",
	"18446744073709551615",
	"\xef\xbb\xbf",
	"\xff\xfe",
	"\xfe\xff",
	"\xff",
	"WorkloadTarget,",
	"IntendedVsync,",
	"---PROFILEDATA---",
	"Applications Graphics Acceleration Info:",
	"/android.view.ViewRootImpl@",
	"Number ",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static unsigned char text[TEXT_SIZE];
static size_t len;

static void insert(size_t at, const void *bytes, size_t n)
{
	if (n > TEXT_SIZE - len)
		return;
	memmove(text + at + n, text + at, len - at);
	memcpy(text + at, bytes, n);
	len += n;
}

static void damage(void)
{
	static unsigned char piece[4096];
	size_t at = below(len + 1), n = below(len - at + 1);
	const char *token;

	if (n > sizeof(piece))
		n = sizeof(piece);
	switch (below(6)) {
	case 0: /* cut out */
		memmove(text + at, text + at + n, len - at - n);
		len -= n;
		break;
	case 1: /* again elsewhere */
		memcpy(piece, text + at, n);
		insert(below(len + 1), piece, n);
		break;
	case 2:
		if (at < len)
			text[at] ^= (unsigned char)(1u << below(8));
		break;
	case 3: /* a line that may be too long */
		memset(piece, "0,1 x\n"[below(6)], sizeof(piece));
		for (n = below(8) ? 1 : below(40); n; n--)
			insert(at, piece, sizeof(piece));
		break;
	default:
		token = tokens[below(COUNT(tokens))];
		insert(at, token, strlen(token));
	}
}

/* As UTF-16 of each byte. */
static size_t widen(unsigned char *image, bool le)
{
	size_t size = 0;

	image[size++] = le ? 0xff : 0xfe;
	image[size++] = le ? 0xfe : 0xff;
	for (size_t i = 0; i < len; i++) {
		image[size++] = le ? text[i] : 0;
		image[size++] = le ? 0 : text[i];
	}
	return size;
}

static size_t make(unsigned char *image, uint64_t input)
{
	size_t size;

	state = input * 0x9e3779b97f4a7c15ull;
	len = 0;
	for (size_t rounds = 1 + below(3); rounds; rounds--) {
		for (size_t i = 0; i < COUNT(lines); i++) {
			if (below(8))
				insert(len, lines[i], strlen(lines[i]));
		}
	}
	for (size_t n = below(8); n; n--)
		damage();
	if (below(4) == 0) {
		size = widen(image, below(2));
		/* what is not text in UTF-16 */
		for (size_t n = below(4); n; n--)
			image[below(size)] ^= (unsigned char)(1u << below(8));
		return size;
	}
	memcpy(image, text, len);
	return len;
}

#endif
