/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "probe/example-program.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"
#include "skip.h"
#include "symbol/scratch.h"
#include "tools/probe/place-work.h"

static void a_probe_without_its_image_is_where_the_kernel_has_it(void **state)
{
	const struct trace_probe p = { .symbol = "f", .offset = 4 };
	struct probe_place place = probe_place_find(&p, NULL);

	(void)state;
	assert_string_equal(place.function, "f");
	assert_int_equal(place.offset, 4);
	assert_null(place.file);
	assert_false(place.has_line);
}

static void symbols_know_the_function(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(probe_target_freep) struct probe_target *t = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct trace_probe p = { .is_user = true, .path = path };

	p.offset = example_program(path, EM_AARCH64) + 8;
	assert_int_equal(
		probe_target_open(&(struct probe_target_options){ .program = path }, &t, &diag), 0);

	struct probe_place place = probe_place_find(&p, t);

	assert_string_equal(place.function, "first");
	assert_int_equal(place.offset, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_probe_without_its_image_is_where_the_kernel_has_it),
		cmocka_unit_test_setup_teardown(symbols_know_the_function, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
