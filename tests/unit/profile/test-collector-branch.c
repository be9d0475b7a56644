/* SPDX-License-Identifier: MIT */

#include "session/recording.h"

#include "profile/collector.h"
#include "profile/shared-values.h"
#include "wire/branch.h"

#define TYPES                                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK)

struct made {
	struct recording rec;
	struct session *session;
	struct key_env env;
	struct collector *collector;
};

static void branched(struct made *m, const uint64_t *words, size_t n)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = 1,
		.pid = 10,
		.tid = 10,
		.time = 200,
		.period = 1000,
		.branches = { .bytes = (const uint8_t *)words, .n = 3 * n },
		.branch_hw_index = UINT64_MAX,
	};

	assert_int_equal(sample_encode(&s, &m->rec.attr, &m->rec.records), 0);
}

static int take(void *arg, const struct sample_batch *b)
{
	struct made *m = arg;

	collector_take(m->collector, b);
	return 0;
}

static const struct tally *collect(struct made *m, struct collector_options o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct consumer consumer = { .samples = take, .arg = m };

	m->session = opened(&m->rec, false);
	m->env = (struct key_env){ .session = m->session,
				   .frames = frames_new(false),
				   .values = shared_values_new() };
	o.env = &m->env;
	o.mode = REPORT_BRANCH;
	o.max_stack = 127;
	o.n_workers = 1;
	m->collector = collector_new(&o);
	assert_int_equal(session_feed(m->session, NULL, &consumer, &diag), 0);
	collector_settle(m->collector);
	return collector_tally(m->collector, 0);
}

static struct made example_new(void)
{
	struct made m = { .rec = recording_of(TYPES) };

	m.rec.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	comm(&m.rec, 10, 10, "prog", 1);
	mmaps(&m.rec, 10, 0x1000, 0x1000, "/bin/none-such", 1);
	return m;
}

static void example_done(struct made *m)
{
	collector_free(m->collector);
	frames_free(m->env.frames);
	shared_values_free(m->env.values);
	session_free(m->session);
	recording_done(&m->rec);
}

static const uint64_t branches[] = {
	0x1010, 0x1100, BRANCH_PREDICTED | 5 << 4 | 4 << 20, /* a call */
	0x1200, 0x1000, BRANCH_PREDICTED | 7 << 4 | 1 << 20, /* a condition */
};

static void each_branch_weighs_one(void **state)
{
	_cleanup_(example_done) struct made m = example_new();
	const struct tally *t;

	(void)state;
	branched(&m, branches, 2);
	branched(&m, branches, 1);
	branched(&m, branches, 0);
	t = collect(&m, (struct collector_options){ 0 });
	assert_int_equal(t->total.samples, 3);
	assert_int_equal(t->total.period, 3);
	assert_int_equal(branch_stats_total(&t->branches), 3);
	assert_int_equal(t->branches.backward, 1);
}

static void they_belong_to_where_they_went(void **state)
{
	_cleanup_(example_done) struct made m = example_new();
	const struct stack_node *n;
	const struct tally *t;

	(void)state;
	branched(&m, branches, 1);
	t = collect(&m, (struct collector_options){ 0 });
	assert_int_equal(t->stacks.n, 2);
	n = &t->stacks.nodes[1];
	assert_int_equal(frames_get(m.env.frames, n->frame)->ip, 0x1100);
	assert_int_equal(t->stacks.weights[1].self.samples, 1);
	assert_true(t->stacks.apart[1]);
}

static void an_end_that_lies_nowhere_is_the_hypervisors(void **state)
{
	static const uint64_t far[] = { 0x1010, 0x99, 0 };
	_cleanup_(example_done) struct made m = example_new();
	const struct tally *t;

	(void)state;
	branched(&m, far, 1);
	t = collect(&m, (struct collector_options){ 0 });
	assert_int_equal(frames_get(m.env.frames, t->stacks.nodes[1].frame)->mode,
			 ADDRESS_HYPERVISOR);
}

static void branches_between_places_without_names_can_be_hidden(void **state)
{
	_cleanup_(example_done) struct made m = example_new();

	(void)state;
	branched(&m, branches, 2);
	assert_int_equal(
		collect(&m, (struct collector_options){ .hide_unresolved = true })->total.samples,
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_branch_weighs_one),
		cmocka_unit_test(they_belong_to_where_they_went),
		cmocka_unit_test(an_end_that_lies_nowhere_is_the_hypervisors),
		cmocka_unit_test(branches_between_places_without_names_can_be_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
