/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/memory.h"

void diag_done(struct diag *d)
{
	free(d->message);
	free(d->excerpt);
	free(d->hint);
	*d = (struct diag){ 0 };
}

static void diag_say(struct diag *d, const char *format, va_list ap)
{
	/* before the old one is freed: it may be an argument */
	char *message = xvasprintf(format, ap);

	diag_done(d);
	d->message = message;
}

int diag_set(struct diag *d, int error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	diag_say(d, format, ap);
	va_end(ap);
	return error;
}

int diag_mark(struct diag *d, int error, const char *excerpt, size_t offset, size_t length,
	      const char *format, ...)
{
	char *copy = xstrdup(excerpt);
	va_list ap;

	va_start(ap, format);
	diag_say(d, format, ap);
	va_end(ap);
	d->excerpt = copy;
	d->offset = offset;
	d->length = length;
	return error;
}

void diag_hint(struct diag *d, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	char *line = xvasprintf(format, ap);
	va_end(ap);

	if (!d->hint) {
		d->hint = line;
		return;
	}

	char *both = xasprintf("%s\n%s", d->hint, line);

	free(d->hint);
	free(line);
	d->hint = both;
}
