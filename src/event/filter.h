/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--filter` texts, checked before the kernel sees them, because its only answer is EINVAL.
 *
 * The grammar is that of the kernel's kernel/trace/trace_events_filter.c:
 *	comparisons	FIELD[.ustring|.function] OPERATOR VALUE, joined by && || ! and parentheses
 *	operators	== != < <= > >= & on numbers, == != ~ on text, == != & with CPUS{0-3}
 *	values		12, -12, 0x1f, 017; "text" or 'text', with ~ a glob; CPUS{LIST}; with
 *.function the name or address of a function and beside the event's own fields there are CPU, COMM
 *and stacktrace. The text itself goes to the kernel unchanged. Whether a function or CPU exists is
 *left to the kernel to say.
 */

#include <stdbool.h>

struct diag;
struct tracepoint_format;

/*
 * Is @text a filter for the tracepoint @format? -EINVAL: no; @diag marks the offending token, says
 * what is wrong with it, and what could stand there.
 *
 * Without a format (NULL: the event is no tracepoint) only the address filters of AUX PMUs pass,
 * recognised by their first word: `filter main @ /bin/x`, `start`, `stop`, `tracestop`.
 */
int filter_check(const char *text, const struct tracepoint_format *format, struct diag *diag);

/* Is @text, by its first word, an address filter as above? */
bool filter_is_of_addresses(const char *text);
