/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "tools/query/functions-work.h"

#if HAVE_SQLITE3

#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/syscall/syscall.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/stack-numbers.h"
#include "session/session.h"
#include "tools/query/recording-work.h"
#include "tools/query/stack-rows-work.h"
#include "tools/query/virtual-tables-work.h"

#define NS_PER_S 1000000000

/* All the numbers of a group. */
struct query_functions_numbers {
	double *items;
	size_t n, room;
	double percent;
	bool has_percent;
};

static void numbers_step(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	struct query_functions_numbers *all = sqlite3_aggregate_context(out, sizeof(*all));
	double percent = 50;

	if (!all)
		return sqlite3_result_error_nomem(out);
	if (argc > 1) {
		percent = sqlite3_value_double(argv[1]);
		if (sqlite3_value_numeric_type(argv[1]) == SQLITE_NULL || !(percent >= 0) ||
		    percent > 100)
			return sqlite3_result_error(
				out, "percentile(x, p): p must be a number from 0 to 100", -1);
		if (all->has_percent && all->percent != percent)
			return sqlite3_result_error(
				out, "percentile(x, p): p must be the same for all rows", -1);
	}
	all->percent = percent;
	all->has_percent = true;
	switch (sqlite3_value_numeric_type(argv[0])) {
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		all->items = array_reserve(all->items, &all->room, all->n + 1, sizeof(*all->items));
		all->items[all->n++] = sqlite3_value_double(argv[0]);
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Computes the percentile, interpolated between two adjacent numbers. */
static void numbers_final(sqlite3_context *out)
{
	struct query_functions_numbers *all = sqlite3_aggregate_context(out, 0);
	double place, rest;
	size_t below;

	if (!all || !all->n) {
		sqlite3_result_null(out);
		return;
	}
	qsort(all->items, all->n, sizeof(*all->items), compare_doubles);
	place = all->percent / 100 * (double)(all->n - 1);
	below = (size_t)place;
	rest = place - (double)below;
	if (rest > 0 && below + 1 < all->n)
		sqlite3_result_double(out, all->items[below] + rest * (all->items[below + 1] -
								       all->items[below]));
	else
		sqlite3_result_double(out, all->items[below]);
	free(all->items);
	all->items = NULL;
}

static void regex_release(void *arg)
{
	regfree(arg);
	free(arg);
}

/* Implements regexp(pattern, text), which `text REGEXP pattern` calls. */
static void call_regexp(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	regex_t *re = sqlite3_get_auxdata(out, 0);
	const char *pattern = (const char *)sqlite3_value_text(argv[0]);
	const char *text = (const char *)sqlite3_value_text(argv[1]);
	char error[200], message[256];
	int r;

	(void)argc;
	if (!pattern || !text)
		return;
	if (!re) {
		re = xcalloc(1, sizeof(*re));
		r = regcomp(re, pattern, REG_EXTENDED | REG_NOSUB);
		if (r) {
			regerror(r, re, error, sizeof(error));
			free(re);
			snprintf(message, sizeof(message), "REGEXP: %s", error);
			return sqlite3_result_error(out, message, -1);
		}
		sqlite3_set_auxdata(out, 0, re, regex_release);
		/* SQLite has released it already if there was no memory to keep it. */
		re = sqlite3_get_auxdata(out, 0);
		if (!re)
			return sqlite3_result_error_nomem(out);
	}
	sqlite3_result_int(out, !regexec(re, text, 0, NULL, 0));
}

/*
 * Returns the beginning of a histogram's row: bucket(x) for powers of two, bucket(x, width) for
 * steps.
 */
static void call_bucket(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	int64_t x = sqlite3_value_int64(argv[0]);
	int64_t width = argc > 1 ? sqlite3_value_int64(argv[1]) : 0;

	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	if (argc > 1 && width <= 0)
		return sqlite3_result_error(out, "bucket(x, width): width must be above 0", -1);
	if (width) {
		int64_t rest = x % width;

		rest += rest < 0 ? width : 0;
		/* The lowest step may begin below the smallest integer. */
		sqlite3_result_int64(out, x < INT64_MIN + rest ? INT64_MIN : x - rest);
	} else {
		sqlite3_result_int64(
			out,
			x <= 0 ? 0 : (int64_t)(UINT64_C(1) << (63 - __builtin_clzll((uint64_t)x))));
	}
}

static const struct {
	const char *name;
	double ns;
} units[] = {
	{ "ns", 1 },   { "us", 1e3 },   { "ms", 1e6 },   { "s", NS_PER_S },
	{ "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
};

/* Parses "12.000345678", a time as perf script prints it, without rounding. */
static bool parse_seconds(const char *text, int64_t *ret)
{
	char *end;
	uint64_t seconds = strtoull(text, &end, 10), ns = 0;
	unsigned digits = 0;

	if (end == text || *text == '-' || seconds > INT64_MAX / NS_PER_S - 1)
		return false;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9' && digits < 9; end++, digits++)
			ns = ns * 10 + (uint64_t)(*end - '0');
	for (; digits < 9; digits++)
		ns *= 10;
	if (*end)
		return false;
	*ret = (int64_t)(seconds * NS_PER_S + ns);
	return true;
}

/*
 * Implements ns(): ns('1.5ms') is 1500000; ns('12.000345') means seconds, as perf script prints
 * them.
 */
static void call_ns(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	const char *text = (const char *)sqlite3_value_text(argv[0]);
	char *end;
	double x;
	int64_t ns;

	(void)argc;
	if (!text)
		return;
	if (parse_seconds(text, &ns))
		return sqlite3_result_int64(out, ns);
	x = strtod(text, &end);
	if (end != text) {
		end += strspn(end, " ");
		for (size_t i = 0; i < ARRAY_SIZE(units); i++)
			if (!strcmp(units[i].name, end) && fabs(x * units[i].ns) < 9e18)
				return sqlite3_result_int64(out, llround(x * units[i].ns));
	}
	sqlite3_result_error(out, "ns(text): not a time such as '100ms', '1.5 us' or '12.000345'",
			     -1);
}

/* Implements seconds(ns): seconds(1500000000) is '1.500000000'. */
static void call_seconds(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	int64_t ns = sqlite3_value_int64(argv[0]);
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char text[48];
	int n;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	n = snprintf(text, sizeof(text), "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "",
		     size / NS_PER_S, size % NS_PER_S);
	sqlite3_result_text(out, text, n, SQLITE_TRANSIENT);
}

static void call_address(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	char text[32];
	int n;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	n = snprintf(text, sizeof(text), "0x%" PRIx64, (uint64_t)sqlite3_value_int64(argv[0]));
	sqlite3_result_text(out, text, n, SQLITE_TRANSIENT);
}

static void call_stack(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	const struct function_hosts *hosts = sqlite3_user_data(out);
	int64_t id = sqlite3_value_int64(argv[0]);
	uint64_t host = (uint64_t)id >> STACK_NUMBER_BITS;
	uint32_t number = (uint32_t)id;
	const struct stack_numbers *stacks;
	struct text folded = TEXT_EMPTY;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL || host >= hosts->n)
		return;
	stacks = recording_stacks(hosts->items[host]->recording);
	if (!stacks)
		return sqlite3_result_error(
			out, "stack(id): use it with the column stack_id of a table", -1);
	if (!number || number > stack_numbers_count(stacks))
		return;
	stack_add_folded(&folded, stacks, number);
	sqlite3_result_text(out, folded.chars, (int)folded.length, SQLITE_TRANSIENT);
	text_done(&folded);
}

/* Implements syscall(nr), the name of a system call of the recorded machine. */
static void call_syscall(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	const struct function_hosts *hosts = sqlite3_user_data(out);
	const struct session *s = recording_session(hosts->items[0]->recording);
	const char *machine = session_features(s)->arch;
	const struct arch *arch = machine ? arch_find(machine) : NULL;
	int64_t nr = sqlite3_value_int64(argv[0]);
	const struct syscall_desc *call = NULL;

	(void)argc;
	if (arch && nr >= 0 && nr <= UINT32_MAX && sqlite3_value_type(argv[0]) == SQLITE_INTEGER)
		call = syscall_find(syscall_abi_of(arch->elf_machine, false), (unsigned)nr);
	if (call)
		sqlite3_result_text(out, call->name, -1, SQLITE_STATIC);
	else
		sqlite3_result_value(out, argv[0]);
}

static const struct {
	const char *name;
	int argc;
	void (*call)(sqlite3_context *out, int argc, sqlite3_value **argv);
	void (*step)(sqlite3_context *out, int argc, sqlite3_value **argv);
	void (*final)(sqlite3_context *out);
} functions[] = {
	{ "percentile", 2, NULL, numbers_step, numbers_final },
	{ "median", 1, NULL, numbers_step, numbers_final },
	{ "regexp", 2, call_regexp, NULL, NULL },
	{ "bucket", 1, call_bucket, NULL, NULL },
	{ "bucket", 2, call_bucket, NULL, NULL },
	{ "ns", 1, call_ns, NULL, NULL },
	{ "seconds", 1, call_seconds, NULL, NULL },
	{ "address", 1, call_address, NULL, NULL },
	{ "stack", 1, call_stack, NULL, NULL },
	{ "syscall", 1, call_syscall, NULL, NULL },
};

int functions_add(sqlite3 *db, const struct function_hosts *hosts)
{
	int status = SQLITE_OK;

	for (size_t i = 0; status == SQLITE_OK && i < ARRAY_SIZE(functions); i++) {
		/* stack() is not deterministic: its result changes once stacks were read. */
		int flags = SQLITE_UTF8 | SQLITE_INNOCUOUS |
			    (functions[i].call == call_stack ? 0 : SQLITE_DETERMINISTIC);

		status = sqlite3_create_function_v2(db, functions[i].name, functions[i].argc, flags,
						    (void *)hosts, functions[i].call,
						    functions[i].step, functions[i].final, NULL);
	}
	return status;
}

#endif
