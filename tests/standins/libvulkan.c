/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stand-in for the Vulkan loader: the present. */
#include <stddef.h>

#include "standins/standin.h"

STANDIN_LIBRARY

int vkQueuePresentKHR(void *queue, const void *info);

int vkQueuePresentKHR(void *queue, const void *info)
{
	return (int)standin_call(STANDIN_PRESENT, queue, (void *)info, NULL);
}
