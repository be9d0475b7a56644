/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/env.h"
#include "event/event.h"
#include "skip.h"

/* The kernel's own events, which libpfm4 knows on every machine, under its names. */
static const struct {
	const char *text;
	uint32_t type;
	uint64_t config; /* without the misses that the library adds */
} known[] = {
	{ "PERF_COUNT_SW_PAGE_FAULTS", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "PERF_COUNT_HW_CACHE_L1D:READ", PERF_TYPE_HW_CACHE, 0 },
	{ "PERF_COUNT_HW_CACHE_L1D:READ:u", PERF_TYPE_HW_CACHE, 0 },
	{ "perf_count_hw_cache_l1d.read", PERF_TYPE_HW_CACHE, 0 },
};

static void either_spelling_is_known(void **state)
{
	(void)state;
#if HAVE_LIBPFM
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_int_equal(
			event_list_parse(&l, known[i].text, env, EVENT_USE_COUNTING, &diag), 0);
		assert_null(diag.message);
		assert_int_equal(l.n, 1);
		assert_int_equal(l.items[0]->attr.type, known[i].type);
		assert_int_equal(l.items[0]->attr.config & 0xffff, known[i].config);
		assert_string_equal(l.items[0]->name, known[i].text);
	}
#else
	skip_because("built without libpfm4");
#endif
}

/* The library knows this machine, but not one whose sysfs is in another directory. */
static void other_machines_are_not_known(void **state)
{
	(void)state;
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nowhere", "/nowhere");

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag diag = { 0 };

		assert_true(event_list_parse(&l, known[i].text, env, EVENT_USE_COUNTING, &diag) <
			    0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(either_spelling_is_known),
		cmocka_unit_test(other_machines_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
