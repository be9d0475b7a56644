/* SPDX-License-Identifier: MIT */
#include "example-off-cpu.h"

#include "profile/off-cpu-flame.h"
#include "base/text.h"
#include "profile/flame-stacks.h"
#include "session/sample-filter.h"

#define SLEEPS 1
#define DIES   0x10

/*
 * Records that thread 10 sleeps for 300 ns, called from the library. Thread 20 wakes it after 200
 * of them, and is woken itself by an interrupt.
 */
static void record_two_waits(struct example_off_cpu *e)
{
	example_switches(e, 1000, 10, SLEEPS, 0x5010, 20);
	example_event_at(e, 2, 20, 1200, 0x5010, (struct example_switch){ .pid = 10 });
	example_switches(e, 1300, 20, SLEEPS, 0x1020, 10);
	example_event_at(e, 2, 10, 1350, 0x5010, (struct example_switch){ .pid = 20, .flags = 8 });
	example_switches(e, 1350, 10, DIES, 0x5010, 20);
	example_switches(e, 1360, 20, DIES, 0x5010, 0);
}

/* Returns the boxes that have a weight of their own, as lines "name;name weight". */
static char *drawn(struct example_off_cpu *e, const struct flame_stacks_options *options,
		   bool counts)
{
	static const struct flame_roots roots = { .items = { FLAME_ROOT_COMM }, .n = 1 };
	struct flame_stacks_options o = *options;
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = NULL;
	struct text t = TEXT_EMPTY;

	o.env = &e->env;
	o.keys = e->keys.items;
	o.n_keys = e->keys.n;
	o.roots = &roots;
	off_cpu_add_boxes(e->off, b, &o, counts);
	f = flame_builder_finish(b, false);
	for (size_t i = 0; i < f->n; i++) {
		const char *names[16];
		size_t n = 0;

		if (!f->boxes[i].value[FLAME_AFTER].self)
			continue;
		for (uint32_t k = (uint32_t)i; k; k = f->boxes[k].parent)
			names[n++] = f->boxes[k].name;
		while (n--)
			text_addf(&t, "%s%s", names[n], n ? ";" : "");
		text_addf(&t, " %d\n", (int)f->boxes[i].value[FLAME_AFTER].self);
	}
	return text_take(&t);
}

static void assert_drawn(struct example_off_cpu *e, const struct flame_stacks_options *o,
			 bool counts, const char *lines)
{
	_cleanup_(freep) char *text = drawn(e, o, counts);

	assert_string_equal(text, lines);
}

static void read_all(struct example_off_cpu *e, const char *second, struct off_cpu_options o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	example_off_cpu_open(e, second);
	assert_int_equal(example_off_cpu_read(e, o, &diag), 0);
}

static void boxes_say_whose_what_for_where_and_who_woke(void **state)
{
	struct example_off_cpu *e = *state;

	record_two_waits(e);
	read_all(e, "sched_waking", (struct off_cpu_options){ 0 });
	assert_drawn(e, &(struct flame_stacks_options){ 0 }, false,
		     "one;runnable;[lib];[app] 100\n"
		     "one;sleep;[lib];[app];-- woken by two --;[app];[lib] 200\n"
		     /* The interrupt's functions were in user space, so none is shown. */
		     "two;sleep;[app];[app];-- woken by an interrupt -- 50\n");
	assert_drawn(e, &(struct flame_stacks_options){ 0 }, true,
		     "one;runnable;[lib];[app] 1\n"
		     "one;sleep;[lib];[app];-- woken by two --;[app];[lib] 1\n"
		     "two;sleep;[app];[app];-- woken by an interrupt -- 1\n");
}

static void reversed_boxes_begin_with_what_for_and_have_no_wakers(void **state)
{
	struct example_off_cpu *e = *state;

	record_two_waits(e);
	read_all(e, "sched_waking", (struct off_cpu_options){ 0 });
	assert_drawn(e, &(struct flame_stacks_options){ .reverse = true }, false,
		     "runnable;[app];[lib];one 100\n"
		     "sleep;[app];[app];two 50\n"
		     "sleep;[app];[lib];one 200\n");
}

static void a_threads_whole_time_stands_side_by_side(void **state)
{
	struct example_off_cpu *e = *state;

	record_two_waits(e);
	read_all(e, NULL, (struct off_cpu_options){ .wall = true });
	assert_drawn(e, &(struct flame_stacks_options){ 0 }, false,
		     "one;running;[lib];[app] 50\n"
		     "one;sleep;[lib];[app] 300\n"
		     "two;running;[lib];[app] 310\n"
		     "two;sleep;[app];[app] 50\n");
}

static void times_without_a_place_have_no_functions(void **state)
{
	struct example_off_cpu *e = *state;

	forks(&e->recording, 20, 20, 10, 10, 900);
	example_switches(e, 1000, 20, SLEEPS, 0x5010, 10);
	example_switches(e, 1300, 10, DIES, 0x5010, 20);
	read_all(e, NULL, (struct off_cpu_options){ .wall = true });
	assert_drawn(e, &(struct flame_stacks_options){ 0 }, false,
		     /* A forked thread has the name of its parent. */
		     "two;runnable 100\n"
		     "two;running 400\n"
		     "two;sleep;[lib];[app] 300\n");
}

static void filters_for_images_hold(void **state)
{
	struct example_off_cpu *e = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;

	assert_int_equal(sample_filter_new(&(struct sample_filter_request){ .dsos = "none" },
					   &filter, &diag),
			 0);
	record_two_waits(e);
	read_all(e, NULL, (struct off_cpu_options){ 0 });
	assert_drawn(e, &(struct flame_stacks_options){ .filter = filter }, false, "");
}

int main(void)
{
#define TEST(f)                                                                                    \
	cmocka_unit_test_setup_teardown(f, example_off_cpu_set_up, example_off_cpu_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(boxes_say_whose_what_for_where_and_who_woke),
		TEST(reversed_boxes_begin_with_what_for_and_have_no_wakers),
		TEST(a_threads_whole_time_stands_side_by_side),
		TEST(times_without_a_place_have_no_functions),
		TEST(filters_for_images_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
