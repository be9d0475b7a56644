/* SPDX-License-Identifier: MIT */
#include "kernel/mounts.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

/* Containers can have thousands of mounts, each a line of some hundred bytes. */
#define MOUNTS_SIZE_MAX (16 << 20)

/* Fields of "DEVICE POINT TYPE OPTIONS ...". */
enum {
	POINT = 1,
	TYPE,
	OPTIONS,
	FIELDS
};

struct field {
	const char *start;
	size_t length;
};

char *mounts_read(void)
{
	char *mounts;

	if (file_read(AT_FDCWD, "/proc/self/mounts", MOUNTS_SIZE_MAX, &mounts, NULL) < 0)
		return xstrdup("");
	return mounts;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static char *mounts_unescape(struct field f)
{
	char *s = xmalloc(f.length + 1);
	size_t n = 0;

	for (size_t i = 0; i < f.length; i++) {
		const char *c = f.start + i;

		if (*c != '\\' || f.length - i < 4 || !is_octal(c[1]) || !is_octal(c[2]) ||
		    !is_octal(c[3])) {
			s[n++] = *c;
			continue;
		}
		s[n++] = (char)((c[1] - '0') << 6 | (c[2] - '0') << 3 | (c[3] - '0'));
		i += 3;
	}
	s[n] = '\0';
	return s;
}

/* Splits the line at @s; returns the next line, or NULL at the end. */
static const char *split_line(const char *s, struct field fields[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++) {
		fields[i] = (struct field){ s, strcspn(s, " \n") };
		s += fields[i].length;
		if (*s == ' ')
			s++;
	}
	s += strcspn(s, "\n");
	return *s ? s + 1 : NULL;
}

static bool mounts_field_is(struct field f, const char *text)
{
	return f.length == strlen(text) && memcmp(f.start, text, f.length) == 0;
}

static bool mounts_has_option(struct field options, const char *option)
{
	const char *s = options.start, *end = s + options.length;

	while (s < end) {
		const char *comma = memchr(s, ',', (size_t)(end - s));
		const char *stop = comma ? comma : end;

		if (mounts_field_is((struct field){ s, (size_t)(stop - s) }, option))
			return true;
		s = stop + 1;
	}
	return false;
}

char *mounts_find(const char *mounts, const char *type, const char *option)
{
	struct field fields[FIELDS];

	for (const char *line = mounts; line && *line;) {
		line = split_line(line, fields);
		if (mounts_field_is(fields[TYPE], type) &&
		    (!option || mounts_has_option(fields[OPTIONS], option)))
			return mounts_unescape(fields[POINT]);
	}
	return NULL;
}
