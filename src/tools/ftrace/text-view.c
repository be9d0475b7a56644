/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/text-view.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"

static bool ftrace_text_is_plain(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7f)
			return false;
	}
	return true;
}

/* Escapes all control characters except for the newlines and tabs that the kernel writes. */
static void ftrace_text_print_escaped(FILE *out, const char *bytes, size_t n)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	while (n) {
		size_t plain = 0;

		while (plain < n && bytes[plain] != '\n' && bytes[plain] != '\t')
			plain++;
		escape_terminal(&t, bytes, plain);
		if (plain < n)
			text_add_char(&t, bytes[plain++]);
		bytes += plain;
		n -= plain;
	}
	fwrite(t.chars, 1, t.length, out);
}

void trace_text_print(FILE *out, const char *bytes, size_t n)
{
	if (ftrace_text_is_plain(bytes, n))
		fwrite(bytes, 1, n, out);
	else
		ftrace_text_print_escaped(out, bytes, n);
}
