/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
	if (!p)
		abort();
	return p;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xstrndup(const char *s, size_t n)
{
	return checked(strndup(s, n));
}

char *xvasprintf(const char *format, va_list ap)
{
	char *s;

	if (vasprintf(&s, format, ap) < 0)
		abort();
	return s;
}

char *xasprintf(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	char *s = xvasprintf(format, ap);
	va_end(ap);
	return s;
}

void *array_reserve(void *items, size_t *room, size_t n, size_t size)
{
	if (n <= *room)
		return items;

	size_t want = *room ? *room * 2 : 8;

	if (want < n)
		want = n;
	if (want > SIZE_MAX / size)
		abort();
	*room = want;
	return xrealloc(items, want * size);
}
