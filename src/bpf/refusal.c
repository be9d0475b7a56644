/* SPDX-License-Identifier: MIT */
/*
 * The verifier prints each instruction that it checks. Before those of a new line of the source it
 * prints "; TEXT OF THE LINE", since Linux 6.8 followed by " @ FILE:NUMBER". The complaint is the
 * line before the last one that begins with "processed".
 */
#include "bpf/refusal.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "bpf/explain.h"

static bool bpf_refusal_begins(const char *line, size_t n, const char *with)
{
	size_t k = strlen(with);

	return n >= k && !memcmp(line, with, k);
}

struct bpf_refusal bpf_refusal_read(const char *log)
{
	struct bpf_refusal r = { .complaint = "" };

	for (const char *at = log; *at;) {
		size_t n = strcspn(at, "\n");

		if (bpf_refusal_begins(at, n, "; ")) {
			r.line = at + 2;
			r.line_length = n - 2;
		} else if (n && !bpf_refusal_begins(at, n, "processed ") &&
			   !bpf_refusal_begins(at, n, "verification ") &&
			   !bpf_refusal_begins(at, n, "stack depth ")) {
			r.complaint = at;
			r.complaint_length = n;
		}
		at += n + (at[n] == '\n');
	}
	return r;
}

static size_t bpf_refusal_skip_blanks(const char *s)
{
	return strspn(s, " \t");
}

/*
 * Returns the number of the first line of @text that equals @line except for indentation; 0: none.
 */
static unsigned bpf_refusal_find_line(const char *text, const char *line, size_t length)
{
	unsigned number = 1;

	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	for (const char *at = text; *at; number++) {
		size_t n = strcspn(at, "\n"), blanks = bpf_refusal_skip_blanks(at);

		if (blanks + length <= n && length && !memcmp(at + blanks, line, length))
			return number;
		at += n + (at[n] == '\n');
	}
	return 0;
}

int bpf_refusal_explain(int error, const char *log, const char *source, const char *text,
			struct diag *diag)
{
	struct bpf_refusal why = bpf_refusal_read(log);
	const char *at = why.line;
	unsigned number;

	if (!why.complaint_length)
		return bpf_explain(error, log, diag);
	/* "TEXT @ FILE:NUMBER" contains the place itself. */
	for (size_t i = 0; at && i + 3 < why.line_length; i++)
		if (!memcmp(why.line + i, " @ ", 3)) {
			diag_set(diag, error, "%s: the kernel refuses the program at %.*s: %.*s",
				 source, (int)(why.line_length - i - 3), why.line + i + 3,
				 (int)why.complaint_length, why.complaint);
			diag_hint(diag, "The line is: %.*s", (int)i, why.line);
			return error;
		}
	number = at && text ? bpf_refusal_find_line(text, at, why.line_length) : 0;
	if (number)
		diag_set(diag, error, "%s:%u: the kernel refuses the program here: %.*s", source,
			 number, (int)why.complaint_length, why.complaint);
	else
		diag_set(diag, error, "%s: the kernel refuses the program: %.*s", source,
			 (int)why.complaint_length, why.complaint);
	if (at)
		diag_hint(diag, "The line is: %.*s", (int)why.line_length, why.line);
	else
		diag_hint(diag, "Compile it with -g to see the line of the source.");
	return error;
}
