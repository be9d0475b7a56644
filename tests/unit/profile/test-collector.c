/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include "fake-source.h"
#include "example-profile.h"

#include "profile/cell-log.h"
#include "profile/wall-clock.h"
#include "session/event-switch.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tracepoint/field.h"
#include "wire/topology.h"

#define CODE 0xffff800080100000

/* Returns the weight of the samples at run-time address @ip itself, over all nodes. */
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
	/*
	 * The nodes are the root, two callers, and the sampled address, which has no name, beside
	 * its entry.
	 */
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

/* Process 10 runs on CPU 1, and CPU 2 is not in the topology. */
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

/* Adds a sample in the kernel's function at CODE, in which "inner" is inlined. */
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

/* Returns the address that @cell was sampled at. */
static uint64_t place_of(const struct frames *places, const struct logged_cell *cell)
{
	return frames_get(places, cell->place)->ip;
}

/* Each worker takes every other sample; those of the second worker get the nodes of the first. */
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
	assert_int_equal(cell_log_get(log, 0)->time, 100);
	assert_int_equal(cell_log_get(log, 3)->time, 130);
	assert_int_equal(cell_log_get(log, 0)->node, cell_log_get(log, 3)->node);
	assert_int_equal(cell_log_get(log, 1)->node, cell_log_get(log, 2)->node);
	assert_int_equal(t->stacks.weights[cell_log_get(log, 0)->node].self.period, 14);
	assert_int_equal(cell_log_get(log, 0)->context, cell_log_get(log, 1)->context);
	assert_int_equal(contexts_get(&log->contexts, cell_log_get(log, 2)->context)[CELL_PID], 20);
	assert_int_equal(contexts_get(&log->contexts, cell_log_get(log, 2)->context)[CELL_CPU], 2);
	assert_int_equal(place_of(places, cell_log_get(log, 0)), 0x5010);
	assert_int_equal(place_of(places, cell_log_get(log, 1)), 0x1010);
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
	assert_int_equal(cell_log_get(collector_log(p.collector), 0)->period, 10);
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

/* Functions of 0x1000 bytes from CODE on. */
static const char *const functions[] = { "alpha", "bravo", "beta", "gamma" };

enum {
	ALPHA,
	BRAVO,
	BETA,
	GAMMA,
};

#define IN(function) (CODE + 0x1000ull * (function) + 0x10)

static void add_functions(struct example_profile *p)
{
	p->recording.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	for (unsigned i = 0; i < ARRAY_SIZE(functions); i++)
		ksymbol(&p->recording, CODE + 0x1000 * i, 0x1000, functions[i], 0, 50);
}

/* Adds a sample at @ip of the kernel, with a stack of @n addresses, the innermost first. */
static void kernel_stack(struct example_profile *p, uint64_t ip, const uint64_t *ips, size_t n)
{
	uint64_t chain[16] = { PERF_CONTEXT_KERNEL };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.id = 1,
		.ip = ip,
		.pid = 10,
		.tid = 10,
		.time = 100,
		.period = 5,
		.chain = { .bytes = (const uint8_t *)chain, .n = n + 1 },
	};

	memcpy(chain + 1, ips, n * sizeof(*ips));
	assert_int_equal(sample_encode(&s, &p->recording.attr, &p->recording.records), 0);
}

#define KERNEL_STACK(p, ip, ...)                                                                   \
	kernel_stack(p, ip, (const uint64_t[]){ __VA_ARGS__ },                                     \
		     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* Checks the names of the stack whose innermost node has samples, the outermost first. */
static void assert_stack(const struct example_profile *p, const struct tally *t, const char *wanted)
{
	char text[200] = "";
	uint32_t node = 0;

	for (uint32_t i = 0; i < t->stacks.n; i++)
		if (t->stacks.weights[i].self.samples)
			node = i;
	for (; !stacks_is_root(&t->stacks, node); node = t->stacks.nodes[node].parent) {
		const struct frame *f = frames_get(p->env.frames, t->stacks.nodes[node].frame);
		char longer[200];

		snprintf(longer, sizeof(longer), "%s%s %.100s", t->stacks.apart[node] ? "+" : "",
			 f->sym ? f->sym->name : "?", text);
		memcpy(text, longer, sizeof(text));
	}
	assert_string_equal(text, wanted);
}

static void what_was_sampled_may_be_apart_from_its_stack(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	add_functions(&p);
	KERNEL_STACK(&p, IN(GAMMA), IN(BETA), IN(ALPHA));
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	assert_stack(&p, t, "alpha beta +gamma ");
	assert_int_equal(t->notes.n, 0);
	assert_int_equal(t->blocks.n, 0);
}

static void what_was_sampled_is_mostly_the_innermost_of_its_stack(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	example_profile_init(&p);
	add_functions(&p);
	KERNEL_STACK(&p, IN(BETA), IN(BETA), IN(ALPHA));
	assert_stack(&p, example_collect(&p, (struct collector_options){ .with_stacks = true }),
		     "alpha beta ");
}

static uint64_t parent_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->parent;
}

static const struct key_type parent_type = { .name = "parent",
					     .scope = KEY_SAMPLE,
					     .of_sample = parent_of };
static const struct key by_parent[] = { { .type = &parent_type } };

/* Checks the parent that @pattern finds in alpha, bravo, beta, gamma, the outermost first. */
static void assert_parent(const char *pattern, bool callers_first, const char *wanted)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;
	regex_t regex;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
	example_profile_init(&p);
	add_functions(&p);
	KERNEL_STACK(&p, IN(GAMMA), IN(GAMMA), IN(BETA), IN(BRAVO), IN(ALPHA));
	t = example_collect(&p, (struct collector_options){ .with_stacks = true,
							    .callers_first = callers_first,
							    .parent = &regex,
							    .only_with_parent = true,
							    .keys = by_parent,
							    .n_keys = 1 });
	assert_int_equal(t->contexts.n, 1);

	const uint64_t *values = contexts_get(&t->contexts, 0);

	if (wanted)
		assert_string_equal(frames_get(p.env.frames, (uint32_t)values[0])->sym->name,
				    wanted);
	else
		assert_int_equal(values[0], FRAME_NONE);
	assert_int_equal(values[1 + HIDDEN_LEFT_OUT], !wanted);
	regfree(&regex);
}

static void a_parent_is_the_first_that_matches_on_the_way(void **state)
{
	(void)state;
	assert_parent("^b", true, "bravo");
	assert_parent("^b", false, "beta");
	assert_parent("^a", false, "alpha");
	assert_parent("^g", true, "gamma");
	assert_parent("^z", true, NULL);
}

static void callees_of_a_function_can_be_ignored(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;
	regex_t regex;

	(void)state;
	assert_int_equal(regcomp(&regex, "^b", REG_EXTENDED), 0);
	example_profile_init(&p);
	add_functions(&p);
	KERNEL_STACK(&p, IN(GAMMA), IN(GAMMA), IN(BETA), IN(BRAVO), IN(ALPHA));
	t = example_collect(
		&p, (struct collector_options){ .with_stacks = true, .ignore_callees = &regex });
	assert_stack(&p, t, "alpha bravo ");
	regfree(&regex);
}

static void frames_without_a_name_can_be_hidden(void **state)
{
	(void)state;
	for (int hide = 0; hide < 2; hide++) {
		_cleanup_(example_profile_done) struct example_profile p;

		example_profile_init(&p);
		add_functions(&p);
		KERNEL_STACK(&p, IN(GAMMA), IN(GAMMA), CODE - 0x100000, IN(ALPHA));
		assert_stack(
			&p,
			example_collect(&p, (struct collector_options){ .with_stacks = true,
									.hide_unresolved = hide }),
			hide ? "alpha gamma " : "alpha ? gamma ");
	}
}

static void callers_first_the_outermost_frames_are_kept(void **state)
{
	static const char *const wanted[] = { NULL,
					      "alpha +gamma ",
					      "alpha bravo +gamma ",
					      "alpha bravo beta +gamma ",
					      "alpha bravo beta gamma ",
					      "alpha bravo beta gamma " };

	(void)state;
	for (size_t max = 1; max < ARRAY_SIZE(wanted); max++) {
		_cleanup_(example_profile_done) struct example_profile p;

		example_profile_init(&p);
		add_functions(&p);
		KERNEL_STACK(&p, IN(GAMMA), IN(GAMMA), IN(BETA), IN(BRAVO), IN(ALPHA));
		assert_stack(&p,
			     example_collect(&p, (struct collector_options){ .with_stacks = true,
									     .callers_first = true,
									     .max_stack = max }),
			     wanted[max]);
	}
}

static void without_stacks_or_with_branches_nothing_is_inlined(void **state)
{
	(void)state;
	for (int with_stacks = 0; with_stacks < 2; with_stacks++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;

		fake_code = code;
		example_profile_init(&p);
		add_inlined(&p);
		t = example_collect(&p, (struct collector_options){ .with_stacks = with_stacks,
								    .history = with_stacks,
								    .inlines = INLINES_ALL });
		assert_int_equal(t->stacks.n, 2);
		assert_string_equal(name_at(&p, t, 1), "bpf_prog_1");
		fake_code = NULL;
	}
}

static void leaves_have_no_stacks(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	example_profile_init(&p);
	add_functions(&p);
	KERNEL_STACK(&p, IN(GAMMA), IN(GAMMA), IN(ALPHA));
	assert_stack(&p,
		     example_collect(&p, (struct collector_options){ .with_stacks = true,
								     .leaves_only = true }),
		     "+gamma ");
}

static void events_may_share_a_tally(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	static const uint64_t ips[] = { 0x1010 };

	(void)state;
	example_profile_init(&p);
	example_stack(&p, 1, 10, 100, 1, ips, 1);
	example_stack(&p, 2, 10, 110, 10, ips, 1);
	assert_int_equal(
		example_collect(&p, (struct collector_options){ .joined = true })->total.period,
		11);
	assert_int_equal(collector_tally(p.collector, 1)->total.period, 0);
}

static void only_chosen_functions_are_taken(void **state)
{
	static const bool chosen[] = { false, true };

	(void)state;
	for (uint32_t n = 0; n <= 2; n++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;

		example_profile_init(&p);
		add_functions(&p);
		KERNEL_STACK(&p, IN(ALPHA), IN(ALPHA));
		KERNEL_STACK(&p, IN(BETA), IN(BETA));
		KERNEL_STACK(&p, IN(GAMMA), IN(GAMMA));
		t = example_collect(&p, (struct collector_options){ .with_stacks = true,
								    .chosen = chosen,
								    .n_chosen = n });
		/* Frames are numbered in the order of their arrival. */
		assert_int_equal(t->total.samples, n ? 2 : 3);
	}
}

/* Adds a sample of event @id with @size bytes of @raw. */
static void raw_sample(struct example_profile *p, uint64_t id, const void *raw, uint32_t size)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010 };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = id,
		.ip = 0x1010,
		.pid = 10,
		.tid = 10,
		.time = 100,
		.period = 5,
		.chain = { .bytes = (const uint8_t *)chain, .n = 2 },
		.raw = raw,
		.raw_size = size,
	};

	assert_int_equal(sample_encode(&s, &p->recording.attr, &p->recording.records), 0);
}

static void a_field_may_be_the_weight(void **state)
{
	static const struct field_ref field = { .size = 8,
						.kind = FIELD_NUMBER,
						.is_signed = true };
	static const int64_t numbers[][2] = { { 42 }, { 0 }, { -1 }, { INT64_MIN } };
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	p.recording.attr.sample_type |= PERF_SAMPLE_RAW;
	for (size_t i = 0; i < 4; i++)
		raw_sample(&p, 1, numbers[i], 12);
	for (size_t i = 0; i < 3; i++)
		raw_sample(&p, 1, numbers, 4);
	raw_sample(&p, 2, numbers, 12);
	t = example_collect(&p, (struct collector_options){ .weights = &field, .n_weights = 1 });
	assert_int_equal(t->total.samples, 7);
	assert_int_equal(t->total.period, 42);
	assert_int_equal(t->n_negative, 2);
	assert_int_equal(t->n_without, 3);
	t = collector_tally(p.collector, 1);
	assert_int_equal(t->total.period, 0);
	assert_int_equal(t->n_without, 1);
	assert_int_equal(t->n_negative, 0);
}

static void a_large_field_without_a_sign_is_a_weight(void **state)
{
	static const struct field_ref field = { .size = 8, .kind = FIELD_NUMBER };
	static const int64_t number[2] = { -1 };
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	p.recording.attr.sample_type |= PERF_SAMPLE_RAW;
	raw_sample(&p, 1, number, 12);
	t = example_collect(&p, (struct collector_options){ .weights = &field, .n_weights = 1 });
	assert_true(t->total.period == UINT64_MAX);
	assert_int_equal(t->n_negative, 0);
}

/* Opens the recording and passes its samples to @take, with a collector of one worker. */
static void collect_by(struct example_profile *p, struct collector_options o,
		       int (*take)(void *arg, const struct sample_batch *b))
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct consumer consumer = { .order = CONSUMER_IN_ORDER, .samples = take, .arg = p };

	o.env = &p->env;
	o.n_workers = 1;
	o.max_stack = 127;
	p->collector = collector_new(&o);
	assert_int_equal(session_feed(p->session, NULL, &consumer, &diag), 0);
	collector_settle(p->collector);
}

static void open_profile(struct example_profile *p)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	p->session = opened(&p->recording, false);
	assert_int_equal(session_scan(p->session, &diag), 0);
	p->env = (struct key_env){ .session = p->session,
				   .frames = frames_new(false),
				   .values = shared_values_new() };
}

/* Returns the period of all stacks that go through run-time address @ip. */
static uint64_t total_at(const struct example_profile *p, const struct tally *t, uint64_t ip)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < t->stacks.n; i++)
		if (frames_get(p->env.frames, t->stacks.nodes[i].frame)->ip == ip)
			sum += t->stacks.weights[i].total.period;
	return sum;
}

/* Replaces the event of the second sample by one whose samples have no stacks. */
static int take_without_stack(void *arg, const struct sample_batch *b)
{
	struct example_profile *p = arg;
	struct session_sample bare = b->items[1];
	struct session_event event = *bare.event;
	struct sample sample = *bare.sample;

	assert_int_equal(b->n, 3);
	event.attr.sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	sample.chain.n = 0;
	bare.event = &event;
	bare.sample = &sample;
	collector_take(p->collector, &(struct sample_batch){ .items = &b->items[0], .n = 1 });
	collector_take(p->collector, &(struct sample_batch){ .items = &bare, .n = 1 });
	collector_take(p->collector, &(struct sample_batch){ .items = &b->items[2], .n = 1 });
	return 0;
}

static void a_sample_without_a_stack_may_have_that_of_another(void **state)
{
	(void)state;
	for (int references = 0; references < 2; references++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;

		example_profile_init(&p);
		EXAMPLE_STACK(&p, 10, 100, 1, 0x5010, 0x1020);
		EXAMPLE_STACK(&p, 10, 110, 10, 0x5010, 0x1020);
		EXAMPLE_STACK(&p, 10, 120, 100, 0x5010, 0x1020);
		open_profile(&p);
		collect_by(
			&p,
			(struct collector_options){ .with_stacks = true, .references = references },
			take_without_stack);
		t = collector_tally(p.collector, 0);
		assert_int_equal(t->total.period, 111);
		assert_int_equal(total_at(&p, t, 0x1020), references ? 111 : 101);
	}
}

static int take_all(void *arg, const struct sample_batch *b)
{
	struct example_profile *p = arg;

	collector_take(p->collector, b);
	return 0;
}

static void time_off_the_cpu_is_added_to_the_time_on_it(void **state)
{
	static const uint64_t ips[] = { 0x1010 };

	(void)state;
	for (uint64_t ns = 0; ns <= 1000; ns += 1000) {
		_cleanup_(example_profile_done) struct example_profile p;
		struct wall_clock wall = { .ns_per_sample = ns };

		example_profile_init(&p);
		example_stack(&p, 1, 10, 100, 3, ips, 1);
		example_stack(&p, 2, 10, 110, 50, ips, 1);
		open_profile(&p);
		wall.on = session_event(p.session, 0);
		wall.off = session_event(p.session, 1);
		collect_by(&p, (struct collector_options){ .wall = &wall }, take_all);
		assert_int_equal(collector_tally(p.collector, 0)->total.period, ns ? 1050 : 53);
		assert_int_equal(collector_tally(p.collector, 1)->total.samples, 0);
	}
}

static int place_switched(void *arg, const struct sample_batch *b)
{
	static const bool expected[] = { true, false, false };
	struct example_profile *p = arg;
	bool left_out;

	assert_int_equal(b->n, 3);
	for (size_t i = 0; i < b->n; i++) {
		uint32_t node = collector_place(p->collector, &b->items[i], &left_out);

		assert_int_equal(left_out, expected[i]);
		assert_int_equal(node == STACK_NONE, expected[i]);
	}
	return 0;
}

static void samples_before_the_switch_are_left_out(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	struct event_switch between = { .is_off = true, .shows = true };
	static const uint64_t ips[] = { 0x1010 };

	(void)state;
	example_profile_init(&p);
	example_stack(&p, 1, 10, 100, 1, ips, 1);
	example_stack(&p, 2, 10, 110, 1, ips, 1);
	example_stack(&p, 1, 10, 120, 1, ips, 1);
	open_profile(&p);
	between.on = session_event(p.session, 1);
	collect_by(&p, (struct collector_options){ .between = &between }, place_switched);
}

/* Delivers the sample a second time, as one of another event of its group. */
static int take_for_group(void *arg, const struct sample_batch *b)
{
	struct example_profile *p = arg;
	struct session_sample other = b->items[0];

	assert_int_equal(b->n, 1);
	other.event = session_event(p->session, 1);
	collector_take(p->collector, b);
	collector_take(p->collector, &(struct sample_batch){ .items = &other, .n = 1 });
	return 0;
}

/* Makes a recording of one sample with a stack of one frame and two branches. */
static void init_branches(struct example_profile *p)
{
	static const uint64_t words[] = { 0x1010, 0x1100, 5 << 4, 0x1200, 0x1000, 7 << 4 };
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010 };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = 1,
		.pid = 10,
		.tid = 10,
		.time = 200,
		.period = 1000,
		.chain = { .bytes = (const uint8_t *)chain, .n = 2 },
		.branches = { .bytes = (const uint8_t *)words, .n = 6 },
		.branch_hw_index = UINT64_MAX,
	};

	example_profile_init(p);
	p->recording.attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	p->recording.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	assert_int_equal(sample_encode(&s, &p->recording.attr, &p->recording.records), 0);
	open_profile(p);
}

static void branches_are_callers_only_on_request(void **state)
{
	(void)state;
	for (int history = 0; history < 2; history++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;

		init_branches(&p);
		collect_by(&p,
			   (struct collector_options){ .with_stacks = true, .history = history },
			   take_all);
		t = collector_tally(p.collector, 0);
		assert_int_equal(t->total.samples, 1);
		assert_int_equal(total_at(&p, t, 0x1200), history ? 1000 : 0);
	}
}

static void branches_belong_to_the_event_that_sampled_them(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;

	(void)state;
	init_branches(&p);
	collect_by(&p, (struct collector_options){ .mode = REPORT_BRANCH }, take_for_group);
	assert_int_equal(collector_tally(p.collector, 0)->total.samples, 2);
	assert_int_equal(collector_tally(p.collector, 1)->total.samples, 0);
}

static void samples_that_repeat_are_added_to_their_node(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	add_functions(&p);
	for (size_t i = 0; i < 3000; i++)
		KERNEL_STACK(&p, IN(i % 2 ? BETA : GAMMA), IN(i % 2 ? BETA : GAMMA), IN(ALPHA));
	t = example_collect(&p, (struct collector_options){ .with_stacks = true });
	assert_int_equal(t->total.samples, 3000);
	assert_int_equal(t->total.period, 15000);
	assert_int_equal(t->stacks.n, 4);
	assert_int_equal(t->stacks.weights[1].total.samples, 3000);
	assert_int_equal(t->stacks.weights[2].self.samples, 1500);
	assert_int_equal(t->stacks.weights[3].self.samples, 1500);
}

/* A stack that is shorter than the one before must not contain frames of that one. */
static void no_parent_is_left_from_the_stack_before(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;
	uint64_t left_out = 0;
	regex_t regex;

	(void)state;
	assert_int_equal(regcomp(&regex, "^beta", REG_EXTENDED), 0);
	example_profile_init(&p);
	add_functions(&p);
	for (size_t i = 0; i < 2; i++)
		KERNEL_STACK(&p, IN(BETA), IN(BETA), IN(ALPHA));
	for (size_t i = 0; i < 2; i++)
		KERNEL_STACK(&p, IN(ALPHA), IN(ALPHA));
	t = example_collect(&p, (struct collector_options){ .with_stacks = true,
							    .callers_first = true,
							    .parent = &regex,
							    .only_with_parent = true });
	assert_int_equal(t->contexts.n, 2);
	for (uint32_t i = 0; i < t->stacks.n; i++)
		if (stacks_is_root(&t->stacks, i) &&
		    contexts_get(&t->contexts, t->stacks.nodes[i].frame)[HIDDEN_LEFT_OUT])
			left_out += t->stacks.weights[i].total.samples;
	assert_int_equal(left_out, 2);
	regfree(&regex);
}

static void weights_are_told_apart_on_request(void **state)
{
	static const unsigned needs[] = { 0, ROW_NEEDS_MEMORY, ROW_NEEDS_WEIGHTS };
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;
		struct sample s = {
			.misc = PERF_RECORD_MISC_USER,
			.id = 1,
			.ip = 0x1010,
			.pid = 10,
			.tid = 10,
			.time = 100,
			.period = 5,
			.chain = { .bytes = (const uint8_t *)chain, .n = 2 },
		};

		example_profile_init(&p);
		p.recording.attr.sample_type |= PERF_SAMPLE_WEIGHT;
		for (s.weight = 7; s.weight < 9; s.weight++)
			assert_int_equal(sample_encode(&s, &p.recording.attr, &p.recording.records),
					 0);
		t = example_collect(&p, (struct collector_options){ .needs = needs[i] });
		assert_int_equal(t->total.samples, 2);
		assert_int_equal(t->contexts.n, needs[i] == ROW_NEEDS_WEIGHTS ? 2 : 1);
		assert_int_equal(contexts_get(&t->contexts, 0)[HIDDEN_WEIGHT],
				 needs[i] == ROW_NEEDS_WEIGHTS ? 7 : 0);
	}
}

/* Adds identical samples, with two branches each. */
static void add_branched(struct example_profile *p, size_t n)
{
	static const uint64_t words[] = { 0x1010, 0x1100, 5 << 4, 0x1200, 0x1000, 7 << 4 };
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1100 };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = 1,
		.ip = 0x1100,
		.pid = 10,
		.tid = 10,
		.time = 200,
		.period = 1,
		.chain = { .bytes = (const uint8_t *)chain, .n = 2 },
		.branches = { .bytes = (const uint8_t *)words, .n = 6 },
		.branch_hw_index = UINT64_MAX,
	};

	p->recording.attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	p->recording.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(sample_encode(&s, &p->recording.attr, &p->recording.records), 0);
}

static void every_sample_has_notes_of_its_branches(void **state)
{
	(void)state;
	for (int notes = 0; notes < 2; notes++) {
		_cleanup_(example_profile_done) struct example_profile p;
		const struct tally *t;
		uint32_t to = 0;

		example_profile_init(&p);
		add_branched(&p, 5);
		open_profile(&p);
		collect_by(&p,
			   (struct collector_options){
				   .with_stacks = true, .history = true, .notes = notes },
			   take_all);
		t = collector_tally(p.collector, 0);
		assert_int_equal(t->total.samples, 5);
		for (size_t i = 0; i < t->notes.n; i++)
			to += t->notes.items[i].to;
		assert_int_equal(to, notes ? 10 : 0);
	}
}

static uint64_t has_data(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->data != FRAME_NONE;
}

static void only_samples_of_memory_have_data(void **state)
{
	static const struct key_type type = { .scope = KEY_SAMPLE, .of_sample = has_data };
	static const struct key by_data = { .type = &type };
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 10, 100, 1, 0x1010);
	t = example_collect(&p, (struct collector_options){ .keys = &by_data, .n_keys = 1 });
	assert_int_equal(t->contexts.n, 1);
	assert_int_equal(contexts_get(&t->contexts, 0)[0], 0);
}

static void a_context_of_zeros_is_one_of_its_own(void **state)
{
	_cleanup_(example_profile_done) struct example_profile p;
	const struct tally *t;

	(void)state;
	example_profile_init(&p);
	for (uint32_t i = 0; i < 4; i++)
		EXAMPLE_STACK(&p, i < 2 ? 10 : 0, 100 + i, 1, 0x1010);
	t = example_collect(&p, (struct collector_options){ .keys = example_by_pid, .n_keys = 2 });
	assert_int_equal(t->contexts.n, 2);
	assert_int_equal(contexts_get(&t->contexts, 0)[0], 10);
	assert_int_equal(contexts_get(&t->contexts, 1)[0], 0);
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
		cmocka_unit_test(what_was_sampled_may_be_apart_from_its_stack),
		cmocka_unit_test(what_was_sampled_is_mostly_the_innermost_of_its_stack),
		cmocka_unit_test(a_parent_is_the_first_that_matches_on_the_way),
		cmocka_unit_test(callees_of_a_function_can_be_ignored),
		cmocka_unit_test(frames_without_a_name_can_be_hidden),
		cmocka_unit_test(callers_first_the_outermost_frames_are_kept),
		cmocka_unit_test(without_stacks_or_with_branches_nothing_is_inlined),
		cmocka_unit_test(leaves_have_no_stacks),
		cmocka_unit_test(events_may_share_a_tally),
		cmocka_unit_test(only_chosen_functions_are_taken),
		cmocka_unit_test(a_field_may_be_the_weight),
		cmocka_unit_test(a_large_field_without_a_sign_is_a_weight),
		cmocka_unit_test(a_sample_without_a_stack_may_have_that_of_another),
		cmocka_unit_test(time_off_the_cpu_is_added_to_the_time_on_it),
		cmocka_unit_test(samples_before_the_switch_are_left_out),
		cmocka_unit_test(branches_are_callers_only_on_request),
		cmocka_unit_test(branches_belong_to_the_event_that_sampled_them),
		cmocka_unit_test(samples_that_repeat_are_added_to_their_node),
		cmocka_unit_test(no_parent_is_left_from_the_stack_before),
		cmocka_unit_test(weights_are_told_apart_on_request),
		cmocka_unit_test(every_sample_has_notes_of_its_branches),
		cmocka_unit_test(only_samples_of_memory_have_data),
		cmocka_unit_test(a_context_of_zeros_is_one_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
