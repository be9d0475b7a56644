/* SPDX-License-Identifier: MIT */
#include "example-top.h"

static void release(struct example_top *e, struct top_snapshot *s)
{
	top_snapshot_unref(&e->t, s);
}

static void it_says_what_it_is(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 5);
	s = top_snapshot_new(&e.t);
	assert_int_equal(s->refs, 1);
	assert_ptr_equal(s->world, e.t.world);
	assert_int_equal(e.t.world->refs, 2);
	assert_int_equal(s->base.serial, 1);
	assert_true(s->base.is_complete);
	assert_true(s->base.is_live);
	assert_false(s->base.is_frozen);
	assert_null(s->base.strip);
	assert_ptr_equal(s->base.request, &e.t.world->question->rq);
	assert_ptr_equal(s->base.profile, &s->profile);
	assert_ptr_equal(s->base.tables, &s->tables);
	assert_ptr_not_equal(s->profile.collector, e.t.world->profile.collector);
	assert_ptr_equal(s->profile.env.names, &s->names);
	release(&e, s);
	assert_int_equal(e.t.world->refs, 1);
}

static void serials_grow_and_frozen_is_told(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *first, *second;

	(void)state;
	example_top_init(&e, "pid");
	first = top_snapshot_new(&e.t);
	e.t.now.frozen = true;
	second = top_snapshot_new(&e.t);
	assert_int_equal(first->base.serial, 1);
	assert_int_equal(second->base.serial, 2);
	assert_true(second->base.is_frozen);
	assert_int_equal(samples_of(&first->base), 0);
	release(&e, first);
	release(&e, second);
}

static void it_does_not_change_while_samples_come_and_fade(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 5);
	example_top_samples_of(&e, 8, 2);
	s = top_snapshot_new(&e.t);
	e.t.now.zeroes = true;
	top_world_fade(&e.t);
	example_top_samples_of(&e, 8, 100);
	assert_int_equal(samples_of(&s->base), 7);
	assert_int_equal(s->tables.items[0].group->n, 2);
	assert_int_equal(s->tables.items[0].group->entries[0].row->self.samples, 5);
	assert_int_equal(s->tables.items[0].group->entries[1].row->self.samples, 2);
	release(&e, s);
}

static void it_outlives_its_world(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;
	struct top_world *old, *w;

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 5);
	s = top_snapshot_new(&e.t);
	old = e.t.world;
	assert_int_equal(top_world_new(&e.t, e.question, NULL, &w, &e.diag), 0);
	top_world_unref(&e.t, old);
	e.t.world = w;
	assert_ptr_equal(w->next, old);
	assert_int_equal(old->refs, 1);
	assert_int_equal(samples_of(&s->base), 5);
	s->refs++;
	release(&e, s);
	assert_int_equal(samples_of(&s->base), 5);
	release(&e, s);
	assert_null(w->next);
	top_snapshot_unref(&e.t, NULL);
}

static void figures_are_those_of_the_moment(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "pid");
	example_top_samples_of(&e, 7, 5);
	e.t.figures.span_ns = 77;
	s = top_snapshot_new(&e.t);
	e.t.figures = (struct top_figures){ 0 };
	assert_int_equal(top_figures(&s->base)->samples, 5);
	assert_int_equal(top_figures(&s->base)->user, 5);
	assert_int_equal(top_figures(&s->base)->kernel, 0);
	assert_int_equal(top_figures(&s->base)->span_ns, 77);
	release(&e, s);
}

static void add_lost(struct example_top *e, uint64_t lost, uint64_t samples)
{
	static uint64_t time = 500;

	if (lost)
		add(&e->rec,
		    (struct record){ .header.type = PERF_RECORD_LOST,
				     .lost = { .id = 1, .lost = lost } },
		    ++time);
	if (samples)
		add(&e->rec,
		    (struct record){ .header.type = PERF_RECORD_LOST_SAMPLES,
				     .lost = { .lost = samples } },
		    ++time);
	example_top_pass(e);
}

static void losses_are_told_in_all_and_since_the_one_before(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "pid");
	add_lost(&e, 10, 3);
	s = top_snapshot_new(&e.t);
	assert_int_equal(s->base.lost, 10);
	assert_int_equal(s->base.new_lost, 10);
	assert_int_equal(s->base.dropped, 3);
	assert_int_equal(s->base.new_dropped, 3);
	release(&e, s);
	add_lost(&e, 5, 2);
	s = top_snapshot_new(&e.t);
	assert_int_equal(s->base.lost, 15);
	assert_int_equal(s->base.new_lost, 5);
	assert_int_equal(s->base.dropped, 5);
	assert_int_equal(s->base.new_dropped, 2);
	release(&e, s);
	s = top_snapshot_new(&e.t);
	assert_int_equal(s->base.lost, 15);
	assert_int_equal(s->base.new_lost, 0);
	assert_int_equal(s->base.dropped, 5);
	assert_int_equal(s->base.new_dropped, 0);
	release(&e, s);
}

static const char *name_of(const struct top_snapshot *s, uint32_t tid)
{
	return u64_map_find(&s->names, tid);
}

/* Adds a sample. The sampled threads are 7, and 9, which is a thread of 7. */
static void sample_thread(struct example_top *e)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER, .id = 2, .pid = 7, .tid = 9, .time = 60
	};

	comm(&e->rec, 7, 9, "helper", 2);
	assert_int_equal(sample_encode(&s, &e->rec.attr, &e->rec.records), 0);
	example_top_samples_of(e, 7, 1);
}

static void threads_of_rows_keep_the_names_that_they_had(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "pid");
	sample_thread(&e);
	s = top_snapshot_new(&e.t);
	comm(&e.rec, 7, 7, "renamed", 1000);
	example_top_pass(&e);
	assert_string_equal(name_of(s, 7), "work");
	assert_string_equal(name_of(s, 9), "helper");
	/* Nobody sampled it. */
	assert_null(name_of(s, 8));
	release(&e, s);
}

static void commands_have_the_names_of_their_first_task(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "comm");
	example_top_samples_of(&e, 8, 1);
	s = top_snapshot_new(&e.t);
	assert_string_equal(name_of(s, 8), "idle");
	assert_null(name_of(s, 7));
	release(&e, s);
	/* A process whose samples have faded has no row. */
	e.t.now.zeroes = true;
	top_world_fade(&e.t);
	s = top_snapshot_new(&e.t);
	assert_null(name_of(s, 8));
	release(&e, s);
}

static void without_a_key_for_tasks_no_name_is_asked_for(void **state)
{
	_cleanup_(example_top_done) struct example_top e;
	struct top_snapshot *s;

	(void)state;
	example_top_init(&e, "symbol");
	example_top_samples_of(&e, 7, 1);
	s = top_snapshot_new(&e.t);
	assert_int_equal(samples_of(&s->base), 1);
	assert_null(name_of(s, 7));
	release(&e, s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_what_it_is),
		cmocka_unit_test(serials_grow_and_frozen_is_told),
		cmocka_unit_test(it_does_not_change_while_samples_come_and_fade),
		cmocka_unit_test(it_outlives_its_world),
		cmocka_unit_test(figures_are_those_of_the_moment),
		cmocka_unit_test(losses_are_told_in_all_and_since_the_one_before),
		cmocka_unit_test(threads_of_rows_keep_the_names_that_they_had),
		cmocka_unit_test(commands_have_the_names_of_their_first_task),
		cmocka_unit_test(without_a_key_for_tasks_no_name_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
