/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "fake-source.h"
#include "example-profile.h"
#include "profile/profile.h"
#include "profile/report.h"

static int take(void *arg, const struct sample_batch *b)
{
	collector_take(arg, b);
	return 0;
}

static struct collector *collect(struct example_profile *p, struct collector_options o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct consumer consumer = { .order = CONSUMER_ANY_ORDER, .samples = take };
	struct collector *c;

	o.env = &p->env;
	o.keys = example_by_pid;
	o.n_keys = 2;
	o.with_stacks = true;
	o.n_workers = 1;
	o.max_stack = 127;
	c = consumer.arg = collector_new(&o);
	assert_int_equal(session_feed(p->session, NULL, &consumer, &diag), 0);
	return c;
}

static void begin(struct example_profile *p)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	example_profile_init(p);
	EXAMPLE_STACK(p, 10, 100, 90, 0x5010, 0x1020);
	EXAMPLE_STACK(p, 20, 104, 7, 0x6030, 0x1020);
	EXAMPLE_STACK(p, 20, 108, 3, 0x6030, 0x1020);
	p->session = opened(&p->recording, false);
	assert_int_equal(session_scan(p->session, &diag), 0);
	p->env = (struct key_env){
		.session = p->session,
		.frames = frames_new(false),
		.values = shared_values_new(),
	};
}

/*
 * Counts the nodes that are not part of a stack, right below their context, or else the nodes of
 * stacks.
 */
static size_t count_nodes(const struct tally *t, bool apart)
{
	const struct stacks *s = &t->stacks;
	size_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		if (!stacks_is_root(s, i))
			n += apart ? s->apart[i] && stacks_is_root(s, s->nodes[i].parent)
				   : !s->apart[i];
	return n;
}

static uint32_t frame_at(const struct example_profile *p, uint64_t ip)
{
	for (uint32_t i = 0; i < frames_count(p->env.frames); i++)
		if (frames_get(p->env.frames, i)->ip == ip)
			return i;
	fail();
	return 0;
}

static void leaves_have_no_callers(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	begin(&p);
	p.collector = collect(&p, (struct collector_options){ .leaves_only = true });
	collector_settle(p.collector);
	assert_int_equal(collector_tally(p.collector, 0)->total.period, 100);
	assert_int_equal(count_nodes(collector_tally(p.collector, 0), true), 2);
	assert_int_equal(count_nodes(collector_tally(p.collector, 0), false), 0);
}

static void what_is_not_chosen_stays_a_leaf(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(collector_freep) struct collector *leaves = NULL;
	_cleanup_(freep) bool *heavy = NULL;
	const struct tally *t;

	(void)state;
	begin(&p);
	leaves = collect(&p, (struct collector_options){ .leaves_only = true });
	collector_settle(leaves);
	heavy = heavy_frames_find(
		&(struct report_options){
			.env = &p.env, .keys = example_by_pid, .n_keys = 2, .unsorted = true },
		p.session, leaves, 0.5);
	assert_true(heavy[frame_at(&p, 0x5010)]);
	assert_false(heavy[frame_at(&p, 0x6030)]);
	p.collector = collect(&p,
			      (struct collector_options){ .chosen = heavy,
							  .n_chosen = frames_count(p.env.frames) });
	collector_add_leaves(p.collector, leaves);
	collector_settle(p.collector);
	t = collector_tally(p.collector, 0);
	assert_int_equal(t->total.period, 100);
	assert_int_equal(t->total.samples, 3);
	assert_int_equal(count_nodes(t, false), 2);
	assert_int_equal(count_nodes(t, true), 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_have_no_callers),
		cmocka_unit_test(what_is_not_chosen_stays_a_leaf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
