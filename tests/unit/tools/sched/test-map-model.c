/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "example-sched.h"
#include "tools/sched/map-model.h"

struct example {
	struct recording recording;
	struct session *session;
	struct sched_map map;
	struct sched_map_line lines[2];
};

/* Sets up tasks 10 ("ten"), 20 ("twenty") and 30, which is "ten" first and "thirty" since 500. */
static void begin(struct example *e, const char *names, bool fuzzy)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	*e = (struct example){ .recording = recording_new() };
	comm(&e->recording, 0, 0, "swapper", 1);
	comm(&e->recording, 10, 10, "ten", 1);
	comm(&e->recording, 20, 20, "twenty", 1);
	comm(&e->recording, 30, 30, "ten", 1);
	comm(&e->recording, 30, 30, "thirty", 500);
	sampled(&e->recording, 1, 10, 10000);
	e->session = opened(&e->recording, false);
	assert_int_equal(session_scan(e->session, &diag), 0);
	sched_map_init(&e->map, &(struct sched_map_options){ .session = e->session,
							     .task_names = names,
							     .fuzzy = fuzzy,
							     .n_cpus = 2 });
}

static void end(struct example *e)
{
	sched_map_done(&e->map);
	session_free(e->session);
	recording_done(&e->recording);
}

static size_t switches(struct example *e, uint64_t time, uint32_t cpu, uint32_t prev, uint32_t next)
{
	struct sched_event event = example_switched(time, cpu, prev, 1, next);

	return sched_map_take(&e->map, &event, e->lines);
}

static const char *sign(const struct example *e, unsigned cpu)
{
	return e->map.cpus.items[cpu].task->sign;
}

static void tasks_have_signs_and_idle_cpus_a_dot(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, NULL, false);
	assert_int_equal(switches(&e, 100, 0, 0, 10), 1);
	assert_string_equal(sign(&e, 0), "A0");
	assert_ptr_equal(e.lines[0].told, e.map.cpus.items[0].task);
	assert_true(e.lines[0].is_new_cpu);
	assert_null(e.map.cpus.items[1].task);
	switches(&e, 200, 1, 0, 20);
	assert_string_equal(sign(&e, 1), "B0");
	switches(&e, 300, 0, 10, 0);
	assert_string_equal(sign(&e, 0), ".");
	switches(&e, 400, 0, 0, 20);
	assert_string_equal(sign(&e, 0), "B0");
	assert_null(e.lines[0].told);
	assert_false(e.lines[0].is_new_cpu);
}

static void signs_begin_again_after_z9(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, NULL, false);
	for (uint32_t i = 0; i < 261; i++) {
		switches(&e, 100 + i, 0, 0, 1000 + i);
		if (i == 26)
			assert_string_equal(sign(&e, 0), "A1");
		if (i == 259)
			assert_string_equal(sign(&e, 0), "Z9");
	}
	assert_string_equal(sign(&e, 0), "A0");
}

static void a_new_name_is_told_with_the_old_sign(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, NULL, false);
	switches(&e, 100, 0, 0, 30);
	assert_string_equal(e.lines[0].told->comm, "ten");
	sched_map_rename(&e.map, 30, 30, false);
	switches(&e, 600, 1, 0, 30);
	assert_string_equal(e.lines[0].told->comm, "thirty");
	assert_string_equal(sign(&e, 1), "A0");
}

static void the_new_name_of_a_thread_is_told_for_that_thread(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, NULL, false);
	switches(&e, 100, 0, 0, 30);
	switches(&e, 200, 1, 0, 10);
	sched_map_rename(&e.map, 10, 30, false);
	switches(&e, 600, 1, 0, 30);
	assert_string_equal(e.lines[0].told->comm, "thirty");
	switches(&e, 700, 0, 0, 10);
	assert_null(e.lines[0].told);
}

static void a_number_that_is_given_again_has_a_new_sign(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, NULL, false);
	switches(&e, 100, 0, 0, 10);
	sched_map_forget(&e.map, 10, 10);
	switches(&e, 200, 1, 0, 10);
	assert_string_equal(sign(&e, 1), "B0");
	assert_string_equal(sign(&e, 0), "A0");
}

static void of_those_looked_for_coming_and_leaving_is_shown(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, "twenty,nobody", false);
	assert_int_equal(switches(&e, 100, 0, 20, 10), 0);
	assert_string_equal(sign(&e, 0), "-");
	assert_int_equal(switches(&e, 200, 0, 10, 20), 1);
	assert_string_equal(sign(&e, 0), "A0");
	assert_int_equal(switches(&e, 300, 0, 20, 0), 1);
	assert_true(e.lines[0].is_out);
	assert_string_equal(sign(&e, 0), ".");
	assert_int_equal(switches(&e, 400, 0, 0, 20), 1);
	assert_int_equal(switches(&e, 500, 0, 20, 20), 2);
	assert_false(e.lines[0].is_out);
	assert_true(e.lines[1].is_out);
}

static void parts_of_names_will_do_if_asked_for(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, ",went", true);
	assert_int_equal(switches(&e, 100, 0, 0, 20), 1);
	assert_int_equal(switches(&e, 100, 1, 0, 10), 0);
	end(&e);
	begin(&e, "went", false);
	assert_int_equal(switches(&e, 100, 0, 0, 20), 0);
}

static void cpus_that_no_machine_has_are_left_out(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e, NULL, false);
	assert_int_equal(switches(&e, 100, 4000000000u, 0, 20), 0);
	assert_int_equal(e.map.left_out, 1);
	assert_int_equal(e.map.cpus.n, 2);
	assert_int_equal(switches(&e, 100, 5, 0, 20), 1);
	assert_int_equal(e.map.cpus.n, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_have_signs_and_idle_cpus_a_dot),
		cmocka_unit_test(signs_begin_again_after_z9),
		cmocka_unit_test(a_new_name_is_told_with_the_old_sign),
		cmocka_unit_test(the_new_name_of_a_thread_is_told_for_that_thread),
		cmocka_unit_test(a_number_that_is_given_again_has_a_new_sign),
		cmocka_unit_test(of_those_looked_for_coming_and_leaving_is_shown),
		cmocka_unit_test(parts_of_names_will_do_if_asked_for),
		cmocka_unit_test(cpus_that_no_machine_has_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
