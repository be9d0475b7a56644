/* SPDX-License-Identifier: MIT */
#include "base/size-text.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

const char *size_text(uint64_t size, char *room)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	for (; size >= 2048 && units[unit + 1]; unit++)
		size /= 1024;
	snprintf(room, SIZE_TEXT_MAX, "%" PRIu64 "%c", size, units[unit]);
	return room;
}
