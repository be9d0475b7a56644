/* SPDX-License-Identifier: MIT */
#include "fake-source.h"
#include "profile/example-profile.h"

#include "profile/cell-log.h"
#include "symbol/symbolizer.h"
#include "wire/topology.h"

#define CODE 0xffff800080100000

/* Of all nodes at run-time address @ip: how often they were sampled, and their total. */
static struct weight self_at(const struct example_profile *p, const struct tally *t, uint64_t ip)
{
	struct weight w = { 0 };

	for (size_t i = 0; i < t->stacks.n; i++)
		if (!stacks_is_root(&t->stacks, (uint32_t)i) &&
		    frames_get(p->env.frames, t->stacks.nodes[i].frame)->ip == ip)
			weight_add(&w, t->stacks.weights[i].self);
	return w;
}

static void stacks_weigh_what_their_samples_do(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x5010, 0x1020, 0x1010);
	EXAMPLE_STACK(&p, 10, 110, 7, 0x5010, 0x1020, 0x1010);
	EXAMPLE_STACK(&p, 20, 120, 11, 0x1020, 0x1010);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	assert_int_equal(t->total.samples, 3);
	assert_int_equal(t->total.period, 23);
	assert_int_equal(self_at(&p, t, 0x5010).period, 12);
	assert_int_equal(self_at(&p, t, 0x1010).samples, 0);
	assert_int_equal(t->contexts.n, 1);
}

static void workers_find_the_same_stacks(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	for (uint64_t i = 0; i < 8; i++)
		EXAMPLE_STACK(&p, 10, 100 + i, 1, 0x5010, 0x1010);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	/* The root, two callers, and the sampled address, which has no name, beside its entry. */
	assert_true(t->stacks.n <= 4);
	assert_int_equal(t->stacks.weights[0].total.samples, 8);
}

static void keys_of_samples_tell_contexts_apart(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	EXAMPLE_STACK(&p, 20, 110, 1, 0x1010);
	EXAMPLE_STACK(&p, 10, 120, 1, 0x1010);
	t = example_collect(&p, (struct collector_options){ .keys = example_by_pid, .n_keys = 2 });
	assert_int_equal(t->contexts.n, 2);
	assert_int_not_equal(contexts_get(&t->contexts, 0)[0], contexts_get(&t->contexts, 1)[0]);
	assert_int_equal(contexts_get(&t->contexts, 0)[1], 0); /* a frame's */
}

static void without_stacks_what_was_sampled_hangs_at_the_root(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x5010, 0x1010);
	t = example_collect(&p, (struct collector_options){ 0 });
	assert_int_equal(t->stacks.n, 2);
	assert_true(t->stacks.apart[1]);
	assert_true(stacks_is_root(&t->stacks, t->stacks.nodes[1].parent));
}

static void stacks_end_where_they_are_told_to(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x5010, 0x1020, 0x1010);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true, .max_stack = 1 });
	assert_int_equal(self_at(&p, t, 0x1020).samples, 0);
	for (size_t i = 1; i < t->stacks.n; i++)
		assert_int_equal(frames_get(p.env.frames, t->stacks.nodes[i].frame)->ip, 0x5010);
}

static void what_a_filter_for_tasks_leaves_out_still_counts(void **state)
{
	static const struct sample_filter_request wanted = { .comms = "two" };
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct tally *t;

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &f, &diag), 0);
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	EXAMPLE_STACK(&p, 20, 110, 10, 0x1010);
	t = example_collect(&p, (struct collector_options){ .filter = f });
	assert_int_equal(t->total.period, 11);
	assert_int_equal(t->contexts.n, 2);
	assert_int_not_equal(contexts_get(&t->contexts, 0)[HIDDEN_LEFT_OUT],
			     contexts_get(&t->contexts, 1)[HIDDEN_LEFT_OUT]);
}

/* Process 10 runs on CPU 1, and of CPU 2 nothing is known. */
static void what_ran_on_another_socket_still_counts(void **state)
{
	static struct cpu_place places[] = { { .cpu = 0, .socket = 1 }, { .cpu = 1, .socket = 0 } };
	const struct topology topology = { .items = places, .n = ARRAY_SIZE(places) };

	(void)state;
	for (int socket = 0; socket < 2; socket++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;

		example_profile_init(&p);
		EXAMPLE_STACK(&p, 10, 100, 5, 0x1010);
		EXAMPLE_STACK(&p, 20, 110, 7, 0x1010);
		t = example_collect(
			&p, (struct collector_options){ .topology = &topology, .socket = socket });
		assert_int_equal(t->total.period, 12);
		assert_int_equal(t->contexts.n, socket ? 1 : 2);
		assert_int_equal(contexts_get(&t->contexts, t->contexts.n - 1)[HIDDEN_LEFT_OUT], 1);
	}
}

static void what_a_filter_for_moments_leaves_out_is_gone(void **state)
{
	static const struct time_span span = { 105, 200 };
	static const struct sample_filter_request wanted = { .spans = &span, .n_spans = 1 };
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &f, &diag), 0);
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	EXAMPLE_STACK(&p, 20, 110, 10, 0x1010);
	assert_int_equal(
		example_collect(&p, (struct collector_options){ .filter = f })->total.period, 10);
}

static void what_has_no_name_can_be_hidden(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	t = example_collect(&p, (struct collector_options){ .hide_unresolved = true });
	assert_int_equal(t->total.samples, 0);
}

static void events_are_tallied_apart(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	static const uint64_t ips[] = { 0x1010 };
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	example_stack(&p, 1, 10, 100, 1, ips, 1);
	example_stack(&p, 2, 10, 110, 10, ips, 1);
	t = example_collect(&p, (struct collector_options){ 0 });
	assert_int_equal(t->total.period, 1);
	assert_int_equal(collector_tally(p.collector, 1)->total.period, 10);
}

static void modes_are_told_apart_on_request(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct sample kernel = { .misc = PERF_RECORD_MISC_KERNEL,
				       .id = 1,
				       .ip = 0x1010,
				       .pid = 10,
				       .tid = 10,
				       .time = 90 };
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	assert_int_equal(sample_encode(&kernel, &p.recording.attr, &p.recording.records), 0);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	t = example_collect(&p, (struct collector_options){ .by_mode = true });
	assert_int_equal(t->contexts.n, 2);
}

/* A sample in the kernel's function at CODE, in which "inner" is inlined. */
static void add_inlined(struct example_profile *p)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, CODE + 0x10 };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.id = 1,
		.ip = CODE + 0x10,
		.pid = 10,
		.tid = 10,
		.time = 100,
		.period = 5,
		.chain = { .bytes = (const uint8_t *)chain, .n = 2 },
	};

	p->recording.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	ksymbol(&p->recording, CODE, 0x1000, "bpf_prog_1", 0, 50);
	assert_int_equal(sample_encode(&s, &p->recording.attr, &p->recording.records), 0);
}

static const struct symbol inner = { .name = "inner", .is_inlined = true };
static const struct source_frame there[] = {
	{ &inner, { "a.c", 1 }, true },
	{ NULL, { "a.c", 3 }, false },
};
static const struct fake_code code[] = { { CODE + 0x10, there, 2 }, { 0 } };

static const char *name_at(const struct example_profile *p, const struct tally *t, uint32_t node)
{
	return frames_get(p->env.frames, t->stacks.nodes[node].frame)->sym->name;
}

static void what_was_sampled_is_the_function_that_others_are_inlined_into(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;
	uint32_t node;

	(void)state;
	fake_code = code;
	example_profile_init(&p);
	add_inlined(&p);
	t = example_collect(
		&p, (struct collector_options){ .with_stacks = true, .inlines = INLINES_ALL });
	assert_int_equal(t->stacks.n, 4);
	node = 3;
	assert_true(t->stacks.apart[node]);
	assert_int_equal(t->stacks.weights[node].self.period, 5);
	assert_string_equal(name_at(&p, t, node), "bpf_prog_1");
	node = t->stacks.nodes[node].parent;
	assert_string_equal(name_at(&p, t, node), "inner");
	node = t->stacks.nodes[node].parent;
	assert_string_equal(name_at(&p, t, node), "bpf_prog_1");
}

static void stacks_of_the_kernel_show_inlined_functions_only_on_request(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	fake_code = code;
	example_profile_init(&p);
	add_inlined(&p);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	assert_int_equal(t->stacks.n, 2);
	assert_false(t->stacks.apart[1]);
}

/* The address that @cell was sampled at. */
static uint64_t place_of(const struct frames *places, const struct logged_cell *cell)
{
	return frames_get(places, cell->place)->ip;
}

/* Workers take every other sample; those of the second get the nodes of the first. */
static void samples_are_logged_with_their_times_and_places(void **state)
{
	_cleanup_(frames_freep) struct frames *places = frames_new_places();
	_cleanup_(example_profile_done) struct example_profile p;
	const struct cell_log *log;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x5010, 0x1020);
	EXAMPLE_STACK(&p, 20, 110, 7, 0x1010);
	EXAMPLE_STACK(&p, 10, 120, 7, 0x1010);
	EXAMPLE_STACK(&p, 10, 130, 9, 0x5010, 0x1020);
	t = example_collect(&p,
			    (struct collector_options){ .with_stacks = true, .places = places });
	log = collector_log(p.collector);
	assert_int_equal(log->n, 4);
	assert_int_equal(log->items[0].time, 100);
	assert_int_equal(log->items[3].time, 130);
	assert_int_equal(log->items[0].node, log->items[3].node);
	assert_int_equal(log->items[1].node, log->items[2].node);
	assert_int_equal(t->stacks.weights[log->items[0].node].self.period, 14);
	assert_int_equal(log->items[0].context, log->items[1].context);
	assert_int_equal(contexts_get(&log->contexts, log->items[2].context)[CELL_PID], 20);
	assert_int_equal(contexts_get(&log->contexts, log->items[2].context)[CELL_CPU], 2);
	assert_int_equal(place_of(places, &log->items[0]), 0x5010);
	assert_int_equal(place_of(places, &log->items[1]), 0x1010);
}

static void what_a_filter_for_tasks_leaves_out_is_not_logged(void **state)
{
	static const struct sample_filter_request wanted = { .comms = "two" };
	_cleanup_(frames_freep) struct frames *places = frames_new_places();
	_cleanup_(example_profile_done) struct example_profile p;
	_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &f, &diag), 0);
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	EXAMPLE_STACK(&p, 20, 110, 10, 0x1010);
	example_collect(&p, (struct collector_options){ .filter = f, .places = places });
	assert_int_equal(collector_log(p.collector)->n, 1);
	assert_int_equal(collector_log(p.collector)->items[0].period, 10);
}

static int place_all(void *arg, const struct sample_batch *b)
{
	struct example_profile *p = arg;
	uint32_t nodes[4];
	bool left_out;

	assert_int_equal(b->n, 3);
	for (size_t i = 0; i < b->n; i++) {
		nodes[i] = collector_place(p->collector, &b->items[i], &left_out);
		assert_int_equal(left_out, i == 2);
	}
	assert_int_equal(nodes[0], nodes[1]);
	assert_int_not_equal(nodes[0], STACK_NONE);
	assert_int_not_equal(nodes[0], nodes[2]);
	return 0;
}

static void a_placed_sample_has_a_node_and_no_weight(void **state)
{
	(void)state;
	struct example_profile p;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	const struct sample_filter_request request = { .comms = "one" };
	const struct consumer consumer = { .order = CONSUMER_IN_ORDER,
					   .samples = place_all,
					   .arg = &p };

	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 5, 0x5010, 0x1010);
	EXAMPLE_STACK(&p, 10, 110, 7, 0x5010, 0x1010);
	EXAMPLE_STACK(&p, 20, 120, 7, 0x5010, 0x1010);
	assert_int_equal(sample_filter_new(&request, &filter, &diag), 0);
	p.session = opened(&p.recording, false);
	p.env = (struct key_env){ .session = p.session, .frames = frames_new(false) };
	p.collector = collector_new(&(struct collector_options){ .env = &p.env,
								 .keys = example_by_pid,
								 .n_keys = 2,
								 .filter = filter,
								 .with_stacks = true,
								 .max_stack = 127,
								 .n_workers = 1 });
	assert_int_equal(session_feed(p.session, NULL, &consumer, &diag), 0);
	collector_settle(p.collector);
	assert_int_equal(collector_tally(p.collector, 0)->total.samples, 0);
	example_profile_done(&p);
}

static void nothing_comes_of_no_samples(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	assert_int_equal(t->total.samples, 0);
	assert_int_equal(t->stacks.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_weigh_what_their_samples_do),
		cmocka_unit_test(workers_find_the_same_stacks),
		cmocka_unit_test(keys_of_samples_tell_contexts_apart),
		cmocka_unit_test(without_stacks_what_was_sampled_hangs_at_the_root),
		cmocka_unit_test(stacks_end_where_they_are_told_to),
		cmocka_unit_test(what_a_filter_for_tasks_leaves_out_still_counts),
		cmocka_unit_test(what_ran_on_another_socket_still_counts),
		cmocka_unit_test(what_a_filter_for_moments_leaves_out_is_gone),
		cmocka_unit_test(what_has_no_name_can_be_hidden),
		cmocka_unit_test(events_are_tallied_apart),
		cmocka_unit_test(modes_are_told_apart_on_request),
		cmocka_unit_test(what_was_sampled_is_the_function_that_others_are_inlined_into),
		cmocka_unit_test(stacks_of_the_kernel_show_inlined_functions_only_on_request),
		cmocka_unit_test(samples_are_logged_with_their_times_and_places),
		cmocka_unit_test(what_a_filter_for_tasks_leaves_out_is_not_logged),
		cmocka_unit_test(a_placed_sample_has_a_node_and_no_weight),
		cmocka_unit_test(nothing_comes_of_no_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
