/* SPDX-License-Identifier: MIT */
#include "view/text-flush.h"

#include <errno.h>

#include "base/text.h"

#define PIECE (256 * 1024)

int text_flush(struct text *t, FILE *out, bool all)
{
	if (!t->length || (t->length < PIECE && !all))
		return 0;
	errno = 0;
	if (fwrite(t->chars, 1, t->length, out) != t->length)
		return errno ? -errno : -EIO;
	text_clear(t);
	return 0;
}
