/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "foreign/fleet.h"
#include "foreign/stack-profile.h"
#include "store/data.h"

static void add_sample(struct fleet_data *d, int64_t minute, const char *host, int64_t stack)
{
	const struct fleet_source source = { host, "", "", "c" };

	fleet_add(d, FLEET_SAMPLE,
		  (union fleet_cell[N_SAMPLE_COLUMNS]){
			  [SAMPLE_MINUTE].number = minute,
			  [SAMPLE_SOURCE].number = fleet_add_source(d, &source),
			  [SAMPLE_EVENT].number = fleet_add_event(d, "cpu-clock", true),
			  [SAMPLE_STACK].number = stack,
			  [SAMPLE_SAMPLES].number = 3,
			  [SAMPLE_PERIOD].number = 30 });
}

static void stacks_have_their_callers(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	int64_t image = fleet_add_image(d, "0102", "/bin/x", false);
	int64_t outer = fleet_add_stack(d, 0, fleet_add_function(d, image, "main", false));
	int64_t inner = fleet_add_stack(d, outer, fleet_add_address(d, image, 0x40));
	struct diag diag = { 0 };
	const struct profile_stack *s;

	(void)state;
	add_sample(d, 60, "h", inner);
	add_sample(d, 120, "h", 0);
	assert_int_equal(fleet_stacks(d, p, &diag), 0);
	assert_int_equal(p->weights.n, 2);
	assert_true(p->has_times);
	assert_true(p->events.items[p->weights.items[0].event].is_time);
	assert_int_equal(p->weights.items[0].samples, 3);
	assert_int_equal(p->weights.items[0].time, UINT64_C(60000000000));
	assert_int_equal(p->weights.items[1].stack, STACK_PROFILE_ROOT);
	s = &p->stacks.items[p->weights.items[0].stack];
	assert_null(p->frames.items[s->frame].function);
	assert_int_equal(p->frames.items[s->frame].offset, 0x40);
	s = &p->stacks.items[s->parent];
	assert_string_equal(p->frames.items[s->frame].function, "main");
	assert_int_equal(s->parent, STACK_PROFILE_ROOT);
	assert_int_equal(p->images.items[p->frames.items[s->frame].image].build_id.size, 2);
}

static void stacks_in_a_circle_are_refused(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	int64_t frame = fleet_add_function(d, fleet_add_image(d, "", "x", false), "f", false);
	struct diag diag = { 0 };

	(void)state;
	fleet_add(d, FLEET_STACK, (union fleet_cell[N_STACK_COLUMNS]){ { 5 }, { 6 }, { frame } });
	fleet_add(d, FLEET_STACK, (union fleet_cell[N_STACK_COLUMNS]){ { 6 }, { 5 }, { frame } });
	add_sample(d, 0, "h", 5);
	assert_int_equal(fleet_stacks(d, p, &diag), -EBADMSG);
	assert_non_null(strstr(diag.message, "its own caller"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_have_their_callers),
		cmocka_unit_test(stacks_in_a_circle_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
