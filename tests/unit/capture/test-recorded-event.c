/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "capture/opened-events.h"
#include "capture/recorded-event.h"
#include "datafile/reader.h"
#include "kernel/pmu.h"

static int cpus[] = { 0, 1, 2 };

static void ids_are_those_of_open_places(void **state)
{
	(void)state;
	uint64_t ids[] = { 7, 0, 9 };
	const struct opened_event e = { .cpus = cpus, .n_cpus = 3, .n_tasks = 1, .ids = ids };
	struct file_event f = { 0 };

	recorded_event_ids(&e, &f);
	assert_int_equal(f.n_ids, 2);
	assert_int_equal(f.ids[0], 7);
	assert_int_equal(f.ids[1], 9);
	free(f.ids);
}

static void an_event_is_described_as_the_file_has_it(void **state)
{
	(void)state;
	uint64_t id = 7;
	struct pmu pmu = { .has_cpus = true };
	struct event event = { .name = "x", .scale = 2, .pmu = &pmu, .attr.config = 1 };
	const struct opened_event e = { .event = &event, .leader = 3 };
	const struct file_event f = { .attr.config = 5, .ids = &id, .n_ids = 1 };
	const struct recorded_event r = recorded_event_of(&e, &f);

	assert_int_equal(r.attr.config, 5);
	assert_string_equal(r.name, "x");
	assert_string_equal(r.unit, "");
	assert_true(r.scale == 2);
	assert_int_equal(r.leader, 3);
	assert_ptr_equal(r.own_cpus, &pmu.cpus);
	assert_ptr_equal(r.ids, &id);
	assert_int_equal(r.n_ids, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_those_of_open_places),
		cmocka_unit_test(an_event_is_described_as_the_file_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
