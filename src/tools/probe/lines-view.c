/* SPDX-License-Identifier: MIT */
#include "tools/probe/lines-view.h"

#include <stdint.h>

#include "dwarf/debug-places.h"
#include "symbol/text-files.h"

/* The number of lines that are shown after the last line with code of a function. */
#define LINES_BEHIND 3

/*
 * Returns the number of @line as a user writes it: in a function, it is counted from its first
 * line.
 */
static uint32_t probe_lines_number_of(const struct debug_lines *l, uint32_t line)
{
	return line - l->start;
}

static void probe_lines_print_head(const struct debug_lines *l, const char *path, FILE *out)
{
	if (l->function)
		fprintf(out, "<%s@%s:%u>\n", l->function, path, probe_lines_number_of(l, l->first));
	else
		fprintf(out, "<%s:%u>\n", path, l->first);
}

static uint32_t probe_lines_last_of(const struct debug_lines *l, const struct text_file *source)
{
	uint32_t end = text_file_lines(source), last = l->last;

	if (last == UINT32_MAX && l->function && l->n)
		last = l->lines[l->n - 1] + LINES_BEHIND;
	return last < end ? last : end;
}

void probe_lines_print(const struct debug_lines *l, const char *path,
		       const struct text_file *source, bool colour, FILE *out)
{
	uint32_t last = probe_lines_last_of(l, source);
	const uint32_t *code = l->lines, *end = l->lines + l->n;

	probe_lines_print_head(l, path, out);
	for (uint32_t line = l->first ? l->first : 1; line <= last; line++) {
		size_t length;
		const char *chars = text_file_line(source, line, &length);

		if (code < end && *code == line) {
			fprintf(out, "%7u  %.*s\n", probe_lines_number_of(l, line), (int)length,
				chars);
			code++;
		} else {
			fprintf(out, "%s%9s%.*s%s\n", colour ? "\033[34m" : "", "", (int)length,
				chars, colour ? "\033[m" : "");
		}
	}
}
