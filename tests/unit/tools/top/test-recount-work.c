/* SPDX-License-Identifier: MIT */
#include "example-top.h"

#include <errno.h>

static const struct synth_plan nothing = { .attr = &(struct attr){ 0 },
					   .root = "/nowhere",
					   .no_bpf_event = true,
					   .no_tasks = true,
					   .no_maps = true };

static struct top_question *question(const char *sort)
{
	return top_question_new(&(struct browse_request){
		.profile = { .plan.sort = sort, .max_stack = PROFILE_MAX_STACK } });
}

static void begin(struct example_top *e)
{
	example_top_init(e, "pid");
	e->t.buffer.half_bytes = 1 << 20;
	top_buffer_begin(&e->t.buffer, &nothing);
}

static void what_has_faded_counts_again(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_question *q = question("comm");
	struct top_world *old;
	struct top_snapshot *s;

	(void)state;
	begin(&e);
	old = e.t.world;
	old->refs++;
	example_top_samples_of(&e, 7, 50);
	example_top_samples_of(&e, 8, 30);
	top_buffer_end_pass(&e.t.buffer, &nothing);
	e.t.now.zeroes = true;
	top_world_fade(&e.t);
	e.t.figures.samples = 1000;
	assert_int_equal(top_recount(&e.t, q, &e.diag), 0);
	assert_null(e.diag.message);
	assert_ptr_not_equal(e.t.world, old);
	assert_int_equal(old->refs, 1);
	assert_ptr_equal(e.t.world->question, q);
	assert_ptr_not_equal(e.t.session, e.session);
	assert_int_equal(e.t.recounted.n, 1);
	assert_ptr_equal(e.t.recounted.items[0], e.t.session);
	assert_int_equal(example_top_weight(&e), 80);
	assert_int_equal(e.t.figures.samples, 80);
	assert_int_equal(e.t.figures.user, 80);
	s = top_snapshot_new(&e.t);
	assert_int_equal(s->tables.items[0].group->n, 2);
	assert_string_equal(u64_map_find(&s->names, 7), "work");
	top_snapshot_unref(&e.t, s);
	top_world_unref(&e.t, old);
	top_question_unref(q);
}

static void it_can_be_asked_again(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_question *q[2] = { question("comm"), question("pid,comm") };

	(void)state;
	begin(&e);
	example_top_samples_of(&e, 7, 5);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(top_recount(&e.t, q[i], &e.diag), 0);
		assert_int_equal(e.t.recounted.n, i + 1);
		assert_ptr_equal(e.t.recounted.items[i], e.t.session);
		assert_int_equal(example_top_weight(&e), 5);
		assert_null(e.t.world->next);
		assert_ptr_equal(e.t.world->question, q[i]);
	}
	for (size_t i = 0; i < 2; i++)
		top_question_unref(q[i]);
}

static void a_mistake_leaves_everything_as_it_was(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_question *q = question("colour");
	struct top_world *old;

	(void)state;
	begin(&e);
	old = e.t.world;
	example_top_samples_of(&e, 7, 5);
	assert_int_equal(e.t.figures.samples, 5);
	assert_int_equal(top_recount(&e.t, q, &e.diag), -EINVAL);
	assert_non_null(strstr(e.diag.message, "colour"));
	assert_ptr_equal(e.t.world, old);
	assert_ptr_equal(e.t.worlds, old);
	assert_int_equal(old->refs, 1);
	assert_ptr_equal(e.t.session, e.session);
	assert_int_equal(e.t.recounted.n, 0);
	assert_int_equal(e.t.figures.samples, 5);
	assert_int_equal(example_top_weight(&e), 5);
	assert_int_equal(q->refs, 1);
	top_question_unref(q);
}

static void filters_hold_for_what_is_counted_again(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_question *q = top_question_new(
		&(struct browse_request){ .profile = { .plan.sort = "comm",
						       .max_stack = PROFILE_MAX_STACK,
						       .filter.comms = "idle" } });
	struct top_snapshot *s;

	(void)state;
	begin(&e);
	example_top_samples_of(&e, 7, 5);
	example_top_samples_of(&e, 8, 3);
	assert_int_equal(top_recount(&e.t, q, &e.diag), 0);
	s = top_snapshot_new(&e.t);
	assert_int_equal(s->tables.items[0].group->n, 1);
	assert_int_equal(s->tables.items[0].group->entries[0].row->self.samples, 3);
	top_snapshot_unref(&e.t, s);
	top_question_unref(q);
}

static void both_halves_are_read(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_question *q = question("pid");

	(void)state;
	begin(&e);
	e.t.buffer.half_bytes = 400;
	example_top_samples_of(&e, 7, 20);
	top_buffer_end_pass(&e.t.buffer, &nothing);
	example_top_samples_of(&e, 7, 1);
	assert_true(e.t.buffer.old.records.n > 0);
	assert_int_equal(top_recount(&e.t, q, &e.diag), 0);
	assert_int_equal(example_top_weight(&e), 21);
	top_question_unref(q);
}

static void where_nothing_was_kept_nothing_is_counted(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_question *q = question("comm");

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 5);
	assert_int_equal(top_recount(&e.t, q, &e.diag), 0);
	assert_int_equal(example_top_weight(&e), 0);
	top_question_unref(q);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_faded_counts_again),
		cmocka_unit_test(it_can_be_asked_again),
		cmocka_unit_test(a_mistake_leaves_everything_as_it_was),
		cmocka_unit_test(filters_hold_for_what_is_counted_again),
		cmocka_unit_test(both_halves_are_read),
		cmocka_unit_test(where_nothing_was_kept_nothing_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
