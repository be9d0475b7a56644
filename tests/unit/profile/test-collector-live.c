/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "fake-source.h"
#include "example-profile.h"

static int take(void *arg, const struct sample_batch *b)
{
	struct example_profile *p = arg;

	collector_take(p->collector, b);
	return 0;
}

/* Collects all samples without settling. */
static void collect(struct example_profile *p, struct collector_options o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct consumer consumer = { .order = CONSUMER_IN_ORDER, .samples = take, .arg = p };

	p->session = opened(&p->recording, false);
	assert_int_equal(session_scan(p->session, &diag), 0);
	p->env = (struct key_env){
		.session = p->session,
		.frames = frames_new(false),
		.values = shared_values_new(),
	};
	frames_copy_maps(p->env.frames);
	o.env = &p->env;
	o.n_workers = 1;
	o.max_stack = 127;
	p->collector = collector_new(&o);
	assert_int_equal(session_feed(p->session, NULL, &consumer, &diag), 0);
}

static void a_copy_is_settled_and_does_not_change(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(collector_freep) struct collector *copy = NULL;
	const struct tally *t;
	size_t nodes;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x5010, 0x1020);
	collect(&p, (struct collector_options){ .with_stacks = true });
	copy = collector_copy(p.collector);
	assert_int_equal(collector_fade(p.collector, 0, 8, &nodes), 0);
	assert_true(nodes > 0);
	t = collector_tally(copy, 0);
	assert_int_equal(t->total.period, 5);
	assert_int_equal(t->stacks.weights[0].total.period, 5);
	assert_int_equal(collector_tally(p.collector, 0)->total.period, 0);
}

static uint64_t period_at(const struct tally *t, const struct frames *f, uint64_t ip)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->stacks.n; i++)
		if (!stacks_is_root(&t->stacks, (uint32_t)i) &&
		    frames_get(f, t->stacks.nodes[i].frame)->ip == ip)
			sum += t->stacks.weights[i].self.period;
	return sum;
}

static void what_has_faded_is_left_behind(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(collector_freep) struct collector *to = NULL;
	_cleanup_(frames_freep) struct frames *frames = frames_new(false);
	struct collector_options o = { .with_stacks = true,
				       .keys = example_by_pid,
				       .n_keys = 2,
				       .max_stack = 127,
				       .n_workers = 1 };
	struct key_env env;
	struct tally *from;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x5010, 0x1020);
	EXAMPLE_STACK(&p, 20, 104, 7, 0x5030, 0x1020);
	EXAMPLE_STACK(&p, 10, 108, 5, 0x5010, 0x1020);
	collect(&p, o);
	from = (struct tally *)collector_tally(p.collector, 0);
	for (size_t i = 0; i < from->stacks.n; i++)
		if (from->stacks.weights[i].self.period == 7)
			from->stacks.weights[i].self = (struct weight){ 0 };
	env = p.env;
	env.frames = frames;
	o.env = &env;
	to = collector_new(&o);
	collector_carry(to, p.collector);
	assert_int_equal(period_at(collector_tally(to, 0), frames, 0x5010), 10);
	assert_int_equal(period_at(collector_tally(to, 0), frames, 0x5030), 0);
	assert_true(frames_count(frames) < frames_count(p.env.frames));
	assert_int_equal(collector_tally(to, 0)->contexts.n, 1);
	assert_int_equal(contexts_get(&collector_tally(to, 0)->contexts, 0)[0], 10);
}

static void without_samples_there_is_an_empty_tally(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(collector_freep) struct collector *copy = NULL;

	(void)state;
	example_profile_init(&p);
	collect(&p, (struct collector_options){ .keys = example_by_pid, .n_keys = 2 });
	copy = collector_copy(p.collector);
	assert_int_equal(collector_tally(copy, 0)->total.samples, 0);
	assert_int_equal(collector_tally(copy, 0)->contexts.width, 2 + N_HIDDEN);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_is_settled_and_does_not_change),
		cmocka_unit_test(without_samples_there_is_an_empty_tally),
		cmocka_unit_test(what_has_faded_is_left_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
