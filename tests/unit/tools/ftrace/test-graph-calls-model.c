/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "tools/ftrace/graph-calls-model.h"

#define COMMON "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"

static const char entry_format[] = "name: funcgraph_entry\nID: 11\nformat:\n" COMMON
				   "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n";
static const char exit_format[] =
	"name: funcgraph_exit\nID: 10\nformat:\n" COMMON
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long calltime;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long rettime;\toffset:24;\tsize:8;\tsigned:0;\n";

struct seen {
	uint64_t n, func, duration;
};

static void see(void *arg, uint64_t func, uint64_t duration_ns)
{
	*(struct seen *)arg = (struct seen){ ((struct seen *)arg)->n + 1, func, duration_ns };
}

/* A page with one record of 32 bytes. */
static struct {
	uint64_t time, used;
	uint32_t head;
	uint16_t type, pad[3];
	uint64_t func, calltime, rettime;
} __attribute__((packed)) page = { .used = 36, .head = 8, .func = 0xf0 };

static struct graph_layout layout(void)
{
	struct diag diag = { 0 };
	struct graph_layout l;

	assert_int_equal(graph_layout_parse(entry_format, exit_format, &l, &diag), 0);
	return l;
}

static struct graph_counts take(struct seen *seen, uint16_t type, uint64_t from, uint64_t to)
{
	const struct graph_listener listener = { see, seen };
	struct graph_layout l = layout();
	struct graph_counts counts = { 0 };

	page.type = type;
	page.calltime = from;
	page.rettime = to;
	graph_page_take(&l, &page, sizeof(page), &listener, &counts);
	return counts;
}

static void a_return_is_a_call(void **state)
{
	struct seen seen = { 0 };
	struct graph_counts c = take(&seen, 10, 1000, 1500);

	(void)state;
	assert_int_equal(c.calls, 1);
	assert_int_equal(c.entries, 0);
	assert_int_equal(seen.func, 0xf0);
	assert_int_equal(seen.duration, 500);
}

static void an_entry_is_counted_alone(void **state)
{
	struct seen seen = { 0 };
	struct graph_counts c = take(&seen, 11, 0, 0);

	(void)state;
	assert_int_equal(c.entries, 1);
	assert_int_equal(c.calls + seen.n, 0);
	c = take(&seen, 12, 0, 0);
	assert_int_equal(c.entries + c.calls, 0);
}

static void a_clock_that_runs_backwards_gives_nothing(void **state)
{
	struct seen seen = { 0 };

	(void)state;
	take(&seen, 10, 1500, 1000);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.duration, 0);
}

static void a_short_record_and_a_damaged_page_are_no_calls(void **state)
{
	struct seen seen = { 0 };
	struct graph_counts c;

	(void)state;
	page.head = 2;
	c = take(&seen, 10, 0, 1);
	assert_int_equal(c.calls, 0);
	page.head = 8;
	page.used = 4096;
	c = take(&seen, 10, 0, 1);
	page.used = 36;
	assert_int_equal(c.damaged, 1);
	assert_int_equal(seen.n, 0);
}

static void a_format_without_times_is_refused(void **state)
{
	struct diag diag = { 0 };
	struct graph_layout l;

	(void)state;
	assert_int_equal(graph_layout_parse(NULL, entry_format, &l, &diag), -EBADMSG);
	assert_non_null(strstr(diag.message, "funcgraph_exit"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_return_is_a_call),
		cmocka_unit_test(an_entry_is_counted_alone),
		cmocka_unit_test(a_clock_that_runs_backwards_gives_nothing),
		cmocka_unit_test(a_short_record_and_a_damaged_page_are_no_calls),
		cmocka_unit_test(a_format_without_times_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
