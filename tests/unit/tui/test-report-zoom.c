/* SPDX-License-Identifier: MIT */
#include "tui/report-zoom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "tui/browse.h"

static void the_title_names_threads_before_objects(void **state)
{
	struct zooms z = { 0 };
	struct text t = TEXT_EMPTY;

	(void)state;
	zooms_title(&z, &t);
	assert_string_equal(t.chars, "");
	zooms_add(&z, ZOOM_DSO, "libc.so.6", -1);
	zooms_add(&z, ZOOM_THREAD, "load", -1);
	zooms_add(&z, ZOOM_CPU, NULL, 3);
	zooms_title(&z, &t);
	assert_string_equal(t.chars, ", Thread: load, DSO: libc.so.6, CPU: 3");
	text_done(&t);
	zooms_done(&z);
}

static void the_last_zoom_is_left_first(void **state)
{
	struct zooms z = { 0 };

	(void)state;
	zooms_add(&z, ZOOM_DSO, "a", -1);
	zooms_add(&z, ZOOM_THREAD, "b", -1);
	assert_true(zooms_pop(&z));
	assert_null(zooms_find(&z, ZOOM_THREAD));
	assert_non_null(zooms_find(&z, ZOOM_DSO));
	assert_true(zooms_pop(&z));
	assert_false(zooms_pop(&z));
	zooms_done(&z);
}

static void a_zoom_takes_the_place_of_one_of_its_kind(void **state)
{
	struct zooms z = { 0 };

	(void)state;
	zooms_add(&z, ZOOM_SYMBOL, "malloc", -1);
	zooms_add(&z, ZOOM_SYMBOL, "free", -1);
	assert_int_equal(z.n, 1);
	assert_string_equal(zooms_find(&z, ZOOM_SYMBOL)->name, "free");
	zooms_done(&z);
}

static void zooms_are_laid_over_the_request(void **state)
{
	struct zooms z = { 0 };
	struct browse_request rq = { .profile.filter.comms = "a,b" };

	(void)state;
	zooms_add(&z, ZOOM_THREAD, "a", -1);
	zooms_add(&z, ZOOM_SOCKET, NULL, 1);
	zooms_add(&z, ZOOM_CPU, NULL, 7);
	zooms_add(&z, ZOOM_SYMBOL, "mall", -1);
	zooms_add(&z, ZOOM_TIME, "1.5,2", -1);
	zooms_apply(&z, &rq);
	assert_string_equal(rq.profile.filter.comms, "a");
	assert_true(rq.profile.of_socket);
	assert_int_equal(rq.profile.socket, 1);
	assert_int_equal(rq.profile.filter.cpus.n, 1);
	assert_int_equal(rq.profile.filter.cpus.items[0], 7);
	assert_string_equal(rq.tables.rows.symbol_part, "mall");
	assert_int_equal(rq.profile.filter.time.n, 1);
	zooms_done(&z);
}

static void a_thread_is_told_by_its_number_if_it_has_one(void **state)
{
	struct zooms z = { 0 };
	struct browse_request rq = { 0 };
	struct text t = TEXT_EMPTY;

	(void)state;
	zooms_add(&z, ZOOM_THREAD, "load", 42);
	zooms_apply(&z, &rq);
	assert_null(rq.profile.filter.comms);
	assert_int_equal(rq.profile.filter.tids.n, 1);
	assert_int_equal(rq.profile.filter.tids.items[0], 42);
	zooms_title(&z, &t);
	assert_string_equal(t.chars, ", Thread: load(42)");
	text_done(&t);
	zooms_done(&z);
}

static void names_with_commas_are_no_filters(void **state)
{
	(void)state;
	assert_true(zoom_can_name("libc.so.6"));
	assert_false(zoom_can_name("a,b"));
	assert_false(zoom_can_name("file://x"));
	assert_false(zoom_can_name(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_title_names_threads_before_objects),
		cmocka_unit_test(the_last_zoom_is_left_first),
		cmocka_unit_test(a_zoom_takes_the_place_of_one_of_its_kind),
		cmocka_unit_test(zooms_are_laid_over_the_request),
		cmocka_unit_test(a_thread_is_told_by_its_number_if_it_has_one),
		cmocka_unit_test(names_with_commas_are_no_filters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
