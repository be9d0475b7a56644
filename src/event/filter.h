/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `--filter` texts, checked before the kernel sees them, because its only answer is EINVAL.
 *
 * The grammar is that of the kernel's kernel/trace/trace_events_filter.c:
 *	comparisons	FIELD[.ustring|.function] OPERATOR VALUE, joined by && || ! and parentheses
 *	operators	== != < <= > >= & on numbers, == != ~ on text, == != & with CPUS{0-3}
 *	values		12, -12, 0x1f, 017; "text" or 'text', with ~ a glob; CPUS{LIST}; with
 *			.function the name or address of a function
 *
 * Besides the event's own fields there are CPU, COMM and stacktrace. The text itself goes to the
 * kernel unchanged. The kernel decides whether a function or CPU exists.
 */

#include <stdbool.h>

struct diag;
struct tracepoint_format;

/*
 * Checks that @text is a filter for the tracepoint @format. -EINVAL: it is not; @diag marks the
 * offending token, describes the error, and lists what could stand there.
 *
 * Without a format (NULL: the event is not a tracepoint) only the address filters of AUX PMUs are
 * accepted, recognised by their first word: `filter main @ /bin/x`, `start`, `stop`, `tracestop`.
 */
int filter_check(const char *text, const struct tracepoint_format *format, struct diag *diag);

/* True if @text, by its first word, is an address filter as above. */
bool filter_is_of_addresses(const char *text);
