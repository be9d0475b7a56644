/* SPDX-License-Identifier: MIT */
#include "base/cursor.h"

const char *cursor_string(struct cursor *c)
{
	const char *s = (const char *)c->at;
	const uint8_t *nul = memchr(c->at, 0, cursor_left(c));

	if (!nul) {
		c->bad = true;
		c->at = c->end;
		return "";
	}
	c->at = nul + 1;
	return s;
}
