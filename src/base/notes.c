/* SPDX-License-Identifier: MIT */
#include "base/notes.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/memory.h"

void notes_done(struct notes *n)
{
	for (size_t i = 0; i < n->n; i++)
		diag_done(&n->items[i].what);
	free(n->items);
	*n = (struct notes){ 0 };
}

void notes_take(struct notes *n, enum note_kind kind, struct diag *d)
{
	struct note note = { kind, *d };

	*d = (struct diag){ 0 };
	if (!n->listener) {
		*ARRAY_ADD(n) = note;
		return;
	}
	n->listener(n->arg, &note);
	diag_done(&note.what);
}

void notes_add(struct notes *n, enum note_kind kind, const char *format, ...)
{
	struct diag d = { 0 };
	va_list ap;

	va_start(ap, format);
	d.message = xvasprintf(format, ap);
	va_end(ap);
	notes_take(n, kind, &d);
}
