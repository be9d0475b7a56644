/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An error for the user, carried from the place where it is found to the place that may print.
 *
 * A function that parses user text or outside bytes takes a `struct diag *` (never NULL) beside its
 * error code. The message is one sentence without a newline. The hint is the next step. The excerpt
 * is the text that was being read, with the offending part marked by offset and length. The last
 * writer wins. Printing belongs to cli/command.h.
 */
#include <stddef.h>

struct diag {
	char *message; /* NULL: there is no message */
	char *excerpt; /* the text in which @offset counts, or NULL */
	size_t offset; /* offset of the mistake within the excerpt */
	size_t length; /* length of the mistake; 0: a point between two characters */
	char *hint;    /* may have several lines, or NULL */
};

void diag_done(struct diag *d);

/* Replaces the contents of @d. Returns @error, so that callers can `return diag_set(...)`. */
int diag_set(struct diag *d, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Does the same as diag_set(), and marks @length characters at @offset of @excerpt (which is
 * copied).
 */
int diag_mark(struct diag *d, int error, const char *excerpt, size_t offset, size_t length,
	      const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Adds a line to the hint. */
void diag_hint(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
