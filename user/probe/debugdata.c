/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * MiniDebugInfo, through liblzma. A few bytes can unpack to gigabytes, or ask for a dictionary of
 * that size: both are bounded.
 */
#include "probe/debugdata.h"

#include <errno.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>

/* Enough for the largest preset's dictionary, 64 MiB. */
#define MEMORY_MAX (80u << 20)

/* Make room for more; -EFBIG when there is as much as there may be. */
static int grow(unsigned char **buf, size_t *room)
{
	size_t more = *room ? 2 * *room : 256u << 10;

	if (*room >= DEBUGDATA_MAX)
		return -EFBIG;
	if (more > DEBUGDATA_MAX)
		more = DEBUGDATA_MAX;
	unsigned char *bigger = realloc(*buf, more);
	if (!bigger)
		return -ENOMEM;
	*buf = bigger;
	*room = more;
	return 0;
}

int debugdata_unpack(const void *data, size_t len, unsigned char **out, size_t *out_len)
{
	lzma_stream s = LZMA_STREAM_INIT;
	unsigned char *buf = NULL;
	size_t room = 0;
	lzma_ret step = lzma_stream_decoder(&s, MEMORY_MAX, 0);
	int ret = step == LZMA_OK ? 0 : -ENOMEM;

	s.next_in = data;
	s.avail_in = len;
	while (!ret && step != LZMA_STREAM_END) {
		if (!s.avail_out) {
			ret = grow(&buf, &room);
			if (ret)
				break;
			s.next_out = buf + s.total_out;
			s.avail_out = room - (size_t)s.total_out;
		}
		step = lzma_code(&s, LZMA_FINISH);
		if (step == LZMA_MEM_ERROR)
			ret = -ENOMEM;
		else if (step == LZMA_MEMLIMIT_ERROR)
			ret = -EFBIG;
		else if (step != LZMA_OK && step != LZMA_STREAM_END &&
			 !(step == LZMA_BUF_ERROR && !s.avail_out))
			ret = -EBADMSG;
	}
	*out_len = (size_t)s.total_out;
	lzma_end(&s);
	if (ret) {
		free(buf);
		return ret;
	}
	*out = buf;
	return 0;
}
