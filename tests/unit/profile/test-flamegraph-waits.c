/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/memory.h"
#include "base/notes.h"
#include "profile/flamegraph.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct flamegraph_request rq;
	struct flamegraph g;
	struct notes notes;
	struct diag diag;
};

static void switch_at(struct recording *rec, uint32_t tid, uint64_t time, uint16_t misc)
{
	add(rec,
	    (struct record){ .header = { .type = PERF_RECORD_SWITCH, .misc = misc },
			     .id = { .pid = tid, .tid = tid, .id = 1 } },
	    time);
}

/* Sets up a recording: "work" waits for 500 ns and for 20, and a clock samples it twice. */
static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->rec = recording_new();
	f->rec.attr.context_switch = 1;
	comm(&f->rec, 7, 7, "work", 1);
	sampled(&f->rec, 1, 7, 900);
	switch_at(&f->rec, 7, 1000, PERF_RECORD_MISC_SWITCH_OUT);
	switch_at(&f->rec, 7, 1500, 0);
	switch_at(&f->rec, 7, 1600, PERF_RECORD_MISC_SWITCH_OUT);
	switch_at(&f->rec, 7, 1620, 0);
	sampled(&f->rec, 1, 7, 1700);
	f->rq.profile.max_stack = PROFILE_MAX_STACK;
	f->rq.choice.off_cpu = true;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	flamegraph_done(&f->g);
	filter_request_done(&f->rq.profile.filter);
	notes_done(&f->notes);
	diag_done(&f->diag);
	recording_done(&f->rec);
	free(f);
	return 0;
}

static int make(struct fixture *f)
{
	stored(&f->rec, f->path);
	f->rq.profile.path = f->path;
	return flamegraph_make(&f->g, &f->rq, &f->notes, &f->diag);
}

/* Returns the box that stands on the box @below. */
static const struct flame_box *box_on(const struct fixture *f, const char *below, const char *name)
{
	const struct flame *flame = f->g.flame;

	for (size_t i = 1; i < flame->n; i++)
		if (!strcmp(flame->boxes[i].name, name) &&
		    !strcmp(flame->boxes[flame->boxes[i].parent].name, below))
			return &flame->boxes[i];
	fail_msg("nothing called %s stands on %s", name, below);
	return NULL;
}

static void waits_weigh_nanoseconds_below_their_kind(void **state)
{
	struct fixture *f = *state;

	f->rq.with_samples = true;
	assert_int_equal(make(f), 0);
	assert_string_equal(f->g.unit, "ns");
	assert_int_equal(box_on(f, "work", "waiting")->value[FLAME_AFTER].total, 520);
	assert_int_equal(box_on(f, "work", "waiting")->kind, FLAME_WAIT);
	assert_int_equal(f->g.samples->boxes[0].value[FLAME_AFTER].total, 2);
	assert_non_null(strstr(f->notes.items[0].what.message, "no stacks"));
}

static void waits_can_be_counted(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.weight = "samples";
	assert_int_equal(make(f), 0);
	assert_string_equal(f->g.unit, "waits");
	assert_int_equal(box_on(f, "work", "waiting")->value[FLAME_AFTER].total, 2);
}

static void short_waits_can_be_left_out(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.min_wait_ns = 100;
	assert_int_equal(make(f), 0);
	assert_int_equal(box_on(f, "work", "waiting")->value[FLAME_AFTER].total, 500);
}

static void a_whole_time_stands_on_the_thread(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.off_cpu = false;
	f->rq.choice.wall = true;
	assert_int_equal(make(f), 0);
	assert_int_equal(box_on(f, "work-7/7", "waiting")->value[FLAME_AFTER].total, 520);
	assert_int_equal(box_on(f, "work-7/7", "running")->value[FLAME_AFTER].total, 280);
	assert_int_equal(f->g.flame->boxes[0].value[FLAME_AFTER].total, 1700 - 900);
}

static void a_recording_without_switches_is_refused(void **state)
{
	struct fixture *f = *state;

	f->rec.attr.context_switch = 0;
	assert_int_equal(make(f), -ENODATA);
	assert_non_null(strstr(f->diag.hint, "perf record -e sched:sched_switch"));
}

static void nothing_that_is_left_is_said(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.min_wait_ns = 1000;
	assert_int_equal(make(f), -ENODATA);
	assert_string_equal(f->diag.message, "all waits are shorter or longer than asked for");
}

static void options_that_do_not_go_together_are_refused(void **state)
{
	struct fixture *f = *state;

	f->rq.choice.event = "cycles";
	assert_int_equal(make(f), -EINVAL);
	f->rq.choice = (struct flame_choice){ .off_cpu = true, .weight = "period" };
	assert_int_equal(make(f), -EINVAL);
	f->rq.choice = (struct flame_choice){ .off_cpu = true, .wall = true };
	assert_int_equal(make(f), -EINVAL);
	f->rq.choice = (struct flame_choice){ .min_wait_ns = 1 };
	assert_int_equal(make(f), -EINVAL);
	assert_string_equal(f->diag.message, "--min-wait and --max-wait need --off-cpu or --wall");
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(waits_weigh_nanoseconds_below_their_kind),
		TEST(waits_can_be_counted),
		TEST(short_waits_can_be_left_out),
		TEST(a_whole_time_stands_on_the_thread),
		TEST(a_recording_without_switches_is_refused),
		TEST(nothing_that_is_left_is_said),
		TEST(options_that_do_not_go_together_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
