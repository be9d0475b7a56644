/* SPDX-License-Identifier: MIT */
#include "datafile/damage.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* Nobody would read more, and a hostile file could cause any number. */
#define SENTENCES_MAX 32

void damage_done(struct damage *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i]);
	free(l->items);
	*l = (struct damage){ 0 };
}

void damage_add(struct damage *l, const char *format, ...)
{
	_cleanup_(freep) char *note = NULL;
	va_list ap;

	va_start(ap, format);
	note = xvasprintf(format, ap);
	va_end(ap);

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i], note))
			return;
	if (l->n < SENTENCES_MAX)
		*ARRAY_ADD(l) = TAKE(note);
}
