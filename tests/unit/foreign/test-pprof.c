/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

static void number(struct bytes *b, unsigned field, uint64_t n)
{
	bytes_uleb128(b, field << 3);
	bytes_uleb128(b, n);
}

static void block(struct bytes *b, unsigned field, const void *data, size_t n)
{
	bytes_uleb128(b, field << 3 | 2);
	bytes_uleb128(b, n);
	bytes_add(b, data, n);
}

static void message(struct bytes *b, unsigned field, struct bytes *part)
{
	block(b, field, part->data, part->n);
	part->n = 0;
}

static void texts(struct bytes *b)
{
	static const char *const all[] = { "",     "samples", "count",  "cpu",  "nanoseconds",
					   "main", "inner",   "/bin/x", "0a0b", "tid" };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		block(b, 6, all[i], strlen(all[i]));
}

static void types(struct bytes *b, struct bytes *part)
{
	number(part, 1, 1);
	number(part, 2, 2);
	message(b, 1, part);
	number(part, 1, 3);
	number(part, 2, 4);
	message(b, 1, part);
}

static void functions(struct bytes *b, struct bytes *part)
{
	number(part, 1, 1);
	number(part, 2, 5);
	message(b, 5, part);
	number(part, 1, 2);
	number(part, 2, 6);
	message(b, 5, part);
	number(part, 1, 1);
	number(part, 2, 0x1000);
	number(part, 4, 0x200);
	number(part, 5, 7);
	number(part, 6, 8);
	message(b, 3, part);
}

/* Location 1 is inner() inlined into main(), location 2 an address. */
static void locations(struct bytes *b, struct bytes *part)
{
	struct bytes line = { 0 };

	number(part, 1, 1);
	number(part, 2, 1);
	number(&line, 1, 2);
	message(part, 4, &line);
	number(&line, 1, 1);
	message(part, 4, &line);
	message(b, 4, part);
	number(part, 1, 2);
	number(part, 2, 1);
	number(part, 3, 0x1234);
	message(b, 4, part);
	bytes_done(&line);
}

static void sample(struct bytes *b, struct bytes *part, uint64_t location, uint64_t tid)
{
	struct bytes label = { 0 };

	number(part, 1, location);
	number(part, 2, 3);
	number(part, 2, 30);
	number(&label, 1, 9);
	number(&label, 3, tid);
	message(part, 3, &label);
	message(b, 2, part);
	bytes_done(&label);
}

static int read_samples(const uint64_t *ids, size_t n, size_t cut, struct stack_profile *p,
			struct diag *diag)
{
	struct bytes b = { 0 }, part = { 0 };
	int r;

	types(&b, &part);
	for (size_t i = 0; i < n; i++)
		sample(&b, &part, ids[i], 7);
	functions(&b, &part);
	locations(&b, &part);
	texts(&b);
	r = format_pprof.is_it((const char *)b.data, b.n) ? 0 : -1;
	assert_int_equal(r, 0);
	r = format_pprof.read((const char *)b.data, b.n - cut, p, diag);
	bytes_done(&part);
	bytes_done(&b);
	return r;
}

static void samples_become_stacks(void **state)
{
	static const uint64_t ids[] = { 1, 2 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct profile_frame *f;
	const struct profile_stack *s;

	(void)state;
	assert_int_equal(read_samples(ids, 2, 0, p, &diag), 0);
	assert_int_equal(p->events.n, 1);
	assert_string_equal(p->events.items[0].name, "cpu");
	assert_true(p->events.items[0].is_time);
	assert_int_equal(p->weights.n, 2);
	assert_int_equal(p->weights.items[0].samples, 3);
	assert_int_equal(p->weights.items[0].period, 30);
	assert_int_equal(p->tasks.items[0].tid, 7);
	assert_string_equal(p->tasks.items[0].comm, "x");

	s = &p->stacks.items[p->weights.items[0].stack];
	f = &p->frames.items[s->frame];
	assert_string_equal(f->function, "inner");
	assert_true(f->is_inlined);
	f = &p->frames.items[p->stacks.items[s->parent].frame];
	assert_string_equal(f->function, "main");
	assert_false(f->is_inlined);

	f = &p->frames.items[p->stacks.items[p->weights.items[1].stack].frame];
	assert_null(f->function);
	assert_int_equal(f->offset, 0x1234 - 0x1000 + 0x200);
	assert_string_equal(p->images.items[f->image].name, "/bin/x");
	assert_int_equal(p->images.items[f->image].build_id.size, 2);
}

static void a_location_that_is_missing_is_damage(void **state)
{
	static const uint64_t ids[] = { 9 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_samples(ids, 1, 0, p, &diag), -EBADMSG);
	assert_string_equal(diag.message, "a sample of this pprof profile is damaged");
}

static void a_file_that_is_cut_is_refused(void **state)
{
	static const uint64_t ids[] = { 1 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_samples(ids, 1, 1, p, &diag), -EBADMSG);
	assert_string_equal(diag.message, "it is not a pprof profile, or is cut short");
}

static void other_bytes_are_not_taken_for_one(void **state)
{
	(void)state;
	assert_false(format_pprof.is_it("", 0));
	assert_false(format_pprof.is_it("PERFILE2", 8));
	assert_false(format_pprof.is_it("\n\n\n\n", 4));
}

/* As in files of Go's runtime, the time comes first. */
static void fields_come_in_any_order(void **state)
{
	struct bytes b = { 0 }, part = { 0 };

	(void)state;
	number(&b, 9, UINT64_C(1794982964200007000));
	types(&b, &part);
	number(&b, 10, 1000);
	assert_true(format_pprof.is_it((const char *)b.data, b.n));
	b.n = 0;
	number(&part, 1, 1);
	number(&part, 2, 2);
	message(&b, 11, &part);
	number(&b, 12, 1024);
	types(&b, &part);
	assert_true(format_pprof.is_it((const char *)b.data, b.n));
	/* The text is not a type, and there is no field 16. */
	block(&b, 1, "x\x01y", 3);
	assert_false(format_pprof.is_it((const char *)b.data, b.n));
	b.n = 0;
	types(&b, &part);
	number(&b, 16, 1);
	assert_false(format_pprof.is_it((const char *)b.data, b.n));
	bytes_done(&part);
	bytes_done(&b);
}

/* One location has many functions, and each sample names the location many times. */
static void frames_are_paid_for(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 }, line = { 0 };

	(void)state;
	types(&b, &part);
	texts(&b);
	functions(&b, &part);
	number(&part, 1, 1);
	number(&line, 1, 1);
	for (int i = 0; i < 100; i++)
		block(&part, 4, line.data, line.n);
	message(&b, 4, &part);
	for (int i = 0; i < 2000; i++) {
		for (int k = 0; k < 100; k++)
			number(&part, 1, 1);
		number(&part, 2, 1);
		number(&part, 2, 1);
		message(&b, 2, &part);
	}
	stack_profile_allow(p, b.n);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	assert_int_equal(stack_profile_check(p, &diag), -EFBIG);
	/* The limit is on frames, not on locations. */
	for (size_t i = 0; i < p->weights.n; i++)
		assert_int_equal(p->stacks.items[p->weights.items[i].stack].depth, 4096);
	bytes_done(&line);
	bytes_done(&part);
	bytes_done(&b);
}

/* The labels give the command, but not the process. */
static void commands_are_told_apart(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 }, label = { 0 };

	(void)state;
	types(&b, &part);
	texts(&b);
	block(&b, 6, "comm", 4);
	for (uint64_t comm = 5; comm < 7; comm++) {
		number(&part, 2, 1);
		number(&part, 2, 1);
		number(&label, 1, 10);
		number(&label, 2, comm);
		message(&part, 3, &label);
		message(&b, 2, &part);
	}
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	assert_int_equal(p->tasks.n, 2);
	assert_string_equal(p->tasks.items[1].comm, "inner");
	assert_int_not_equal(p->tasks.items[0].pid, p->tasks.items[1].pid);
	bytes_done(&label);
	bytes_done(&part);
	bytes_done(&b);
}

static void type_put(struct bytes *b, struct bytes *part, uint64_t name, uint64_t unit)
{
	number(part, 1, name);
	number(part, 2, unit);
	message(b, 1, part);
}

/* Reads two events, "cpu" and "main". The text @default_type names the one to be shown. */
static void read_two_events(uint64_t default_type, struct stack_profile *p)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 };

	type_put(&b, &part, 3, 4);
	type_put(&b, &part, 1, 2);
	type_put(&b, &part, 5, 4);
	for (uint64_t value = 1; value < 4; value++)
		number(&part, 2, value);
	message(&b, 2, &part);
	texts(&b);
	number(&b, 14, default_type);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	bytes_done(&part);
	bytes_done(&b);
}

static void the_event_to_be_shown_comes_first(void **state)
{
	/*
	 * None, the first, the last, the number of its samples, a text that is not an event, a
	 * missing text.
	 */
	static const struct {
		uint64_t type;
		const char *first;
	} cases[] = { { 0, "main" }, { 3, "cpu" },  { 5, "main" },
		      { 1, "main" }, { 6, "main" }, { 1000, "main" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();

		read_two_events(cases[i].type, p);
		assert_int_equal(p->events.n, 2);
		assert_string_equal(p->events.items[0].name, cases[i].first);
		assert_int_equal(p->weights.n, 2);
		for (size_t k = 0; k < 2; k++) {
			const struct profile_weight *w = &p->weights.items[k];
			bool is_cpu = !strcmp(p->events.items[w->event].name, "cpu");

			assert_int_equal(w->period, is_cpu ? 1 : 3);
			assert_int_equal(w->samples, is_cpu ? 1 : 2);
		}
	}
}

/*
 * Adds a label whose key is text @key. Its value is the text @text, or the number @n if @text is 0.
 */
static void add_label(struct bytes *part, uint64_t key, uint64_t text, uint64_t n)
{
	struct bytes label = { 0 };

	number(&label, 1, key);
	if (text)
		number(&label, 2, text);
	else
		number(&label, 3, n);
	message(part, 3, &label);
	bytes_done(&label);
}

/* Texts 10 and on: the keys of labels, and a number. */
static void label_texts(struct bytes *b)
{
	static const char *const all[] = { "pid",         "cpu",        "other",    "77",
					   "thread_name", "process_id", "thread_id" };

	texts(b);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		block(b, 6, all[i], strlen(all[i]));
}

enum {
	KEY_TID = 9,
	KEY_PID,
	KEY_CPU,
	KEY_OTHER,
	TEXT_77,
	KEY_THREAD_NAME,
	KEY_PROCESS_ID,
	KEY_THREAD_ID,
};

static void labels_tell_tasks_and_cpus(void **state)
{
	/* The labels of a sample, and its pid, tid and CPU. */
	static const struct {
		uint64_t labels[3][3];
		uint32_t pid, tid, cpu;
	} cases[] = {
		{ { { KEY_PID, 0, 5 }, { KEY_TID, 0, 6 }, { KEY_CPU, 0, 3 } }, 5, 6, 3 },
		{ { { KEY_PID, 0, 5 } }, 5, 5, UINT32_MAX },
		{ { { KEY_TID, 0, 6 } }, 6, 6, UINT32_MAX },
		{ { { KEY_OTHER, 0, 9 } }, 1, 1, UINT32_MAX },
		{ { { KEY_PID, TEXT_77, 0 }, { KEY_CPU, TEXT_77, 0 } }, 77, 77, 77 },
		{ { { KEY_TID, TEXT_77, 0 } }, 77, 77, UINT32_MAX },
		{ { { KEY_PROCESS_ID, 0, 8 }, { KEY_THREAD_ID, 0, 9 } }, 8, 9, UINT32_MAX },
		{ { { KEY_CPU, 0, UINT32_MAX } }, 1, 1, UINT32_MAX },
		{ { { KEY_CPU, 0, UINT32_MAX - 1 } }, 1, 1, UINT32_MAX - 1 },
		{ { { KEY_CPU, 0, UINT64_C(1) << 32 } }, 1, 1, UINT32_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct bytes b = { 0 }, part = { 0 };
		const struct profile_task *task;

		types(&b, &part);
		label_texts(&b);
		number(&part, 2, 3);
		number(&part, 2, 30);
		for (size_t k = 0; k < 3; k++)
			if (cases[i].labels[k][0])
				add_label(&part, cases[i].labels[k][0], cases[i].labels[k][1],
					  cases[i].labels[k][2]);
		message(&b, 2, &part);
		assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
		assert_int_equal(p->weights.n, 1);
		task = &p->tasks.items[p->weights.items[0].task];
		assert_int_equal(task->pid, cases[i].pid);
		assert_int_equal(task->tid, cases[i].tid);
		assert_string_equal(task->comm, "program");
		assert_int_equal(p->weights.items[0].cpu, cases[i].cpu);
		bytes_done(&part);
		bytes_done(&b);
	}
}

/* Checks the weight of a sample with @samples and @period; SIZE_MAX: it has none. */
static void assert_weight(int64_t samples, int64_t period, size_t n_values, size_t n_weights,
			  uint64_t samples_wanted)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 };

	types(&b, &part);
	texts(&b);
	if (n_values > 0)
		number(&part, 2, (uint64_t)samples);
	if (n_values > 1)
		number(&part, 2, (uint64_t)period);
	message(&b, 2, &part);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	assert_int_equal(p->weights.n, n_weights);
	if (n_weights) {
		assert_int_equal(p->weights.items[0].period, period);
		assert_int_equal(p->weights.items[0].samples, samples_wanted);
	}
	bytes_done(&part);
	bytes_done(&b);
}

static void only_positive_values_weigh(void **state)
{
	(void)state;
	assert_weight(3, 30, 2, 1, 3);
	assert_weight(3, 1, 2, 1, 3);
	assert_weight(3, 0, 2, 0, 0);
	assert_weight(3, -1, 2, 0, 0);
	assert_weight(-1, 30, 2, 1, 0);
	assert_weight(3, 0, 1, 0, 0);
	assert_weight(0, 0, 0, 0, 0);
}

static bool is_cut_it(struct bytes *b, size_t n_fields)
{
	struct bytes part = { 0 };
	bool is;

	b->n = 0;
	types(b, &part);
	if (n_fields > 2)
		number(b, 10, 1000);
	bytes_uleb128(b, 6 << 3 | 2);
	bytes_uleb128(b, 100); /* a text without any of its bytes */
	is = format_pprof.is_it((const char *)b->data, b->n);
	bytes_done(&part);
	return is;
}

static void three_fields_are_enough_of_a_beginning(void **state)
{
	struct bytes b = { 0 };

	(void)state;
	assert_false(is_cut_it(&b, 2));
	assert_true(is_cut_it(&b, 3));
	/* Numbers alone are not a profile. */
	b.n = 0;
	for (int i = 0; i < 4; i++)
		number(&b, 10, 1);
	assert_false(format_pprof.is_it((const char *)b.data, b.n));
	bytes_done(&b);
}

static void the_program_has_its_name_from_the_first_mapping(void **state)
{
	/* The texts for the file of the mapping: /bin/x, main, none, beyond the last. */
	static const struct {
		uint64_t file;
		const char *comm;
	} cases[] = {
		{ 7, "x" }, { 5, "main" }, { 0, "program" }, { 99, "program" }, { 10, "program" }
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct bytes b = { 0 }, part = { 0 };

		types(&b, &part);
		texts(&b);
		block(&b, 6, "[kernel]", 8);
		number(&part, 1, 1);
		number(&part, 5, cases[i].file);
		message(&b, 3, &part);
		number(&part, 2, 1);
		number(&part, 2, 1);
		message(&b, 2, &part);
		assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
		assert_string_equal(p->tasks.items[0].comm, cases[i].comm);
		bytes_done(&part);
		bytes_done(&b);
	}
}

static void without_types_or_texts_it_is_none(void **state)
{
	struct bytes b = { 0 }, part = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
		_cleanup_(diag_done) struct diag diag = { 0 };

		b.n = 0;
		if (i)
			texts(&b);
		else
			types(&b, &part);
		assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), -EBADMSG);
	}
	bytes_done(&part);
	bytes_done(&b);
}

static void a_type_is_two_numbers(void **state)
{
	static const unsigned fields[] = { 2, 3, 15 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		struct bytes b = { 0 }, part = { 0 };

		number(&part, 1, 1);
		number(&part, fields[i], 1);
		message(&b, 1, &part);
		assert_int_equal(format_pprof.is_it((const char *)b.data, b.n), fields[i] == 2);
		bytes_done(&part);
		bytes_done(&b);
	}
}

static void a_value_that_is_no_count_counts_nothing(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 };

	(void)state;
	type_put(&b, &part, 3, 4);
	type_put(&b, &part, 5, 4);
	number(&part, 2, 50);
	number(&part, 2, 70);
	message(&b, 2, &part);
	texts(&b);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	assert_int_equal(p->weights.n, 2);
	assert_int_equal(p->weights.items[0].samples, 1);
	assert_int_equal(p->weights.items[1].samples, 1);
	assert_int_equal(p->weights.items[0].period + p->weights.items[1].period, 120);
	bytes_done(&part);
	bytes_done(&b);
}

struct planned {
	const char *name, *unit;
	uint64_t samples; /* of its event; 0: it is not an event */
};

/*
 * Reads the values 3, 30, 300 and 3000. Checks which of them are events, and their numbers of
 * samples.
 */
static void assert_planned(const struct planned *values, size_t n)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 };
	uint64_t value = 3;
	size_t n_events = 0;

	block(&b, 6, "", 0);
	for (size_t i = 0; i < n; i++) {
		block(&b, 6, values[i].name, strlen(values[i].name));
		block(&b, 6, values[i].unit, strlen(values[i].unit));
		type_put(&b, &part, 2 * i + 1, 2 * i + 2);
	}
	for (size_t i = 0; i < n; i++, value *= 10)
		number(&part, 2, value);
	message(&b, 2, &part);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	value = 3;
	for (size_t i = 0; i < n; i++, value *= 10) {
		const struct profile_weight *w = &p->weights.items[n_events];

		if (!values[i].samples)
			continue;
		n_events++;
		assert_int_equal(w->period, value);
		assert_int_equal(w->samples, values[i].samples);
		assert_string_equal(p->events.items[w->event].name, values[i].name);
	}
	assert_int_equal(p->events.n, n_events);
	assert_int_equal(p->weights.n, n_events);
	bytes_done(&part);
	bytes_done(&b);
}

#define PLANNED(...)                                                                               \
	assert_planned((const struct planned[]){ __VA_ARGS__ },                                    \
		       sizeof((const struct planned[]){ __VA_ARGS__ }) / sizeof(struct planned))

static void counts_are_samples_of_what_follows(void **state)
{
	(void)state;
	PLANNED({ "samples", "count", 0 }, { "cpu", "nanoseconds", 3 });
	PLANNED({ "faults_samples", "count", 0 }, { "faults", "count", 3 });
	PLANNED({ "samples", "count", 0 }, { "faults", "count", 3 });
	PLANNED({ "faults", "count", 3 }, { "cycles", "count", 30 });
	PLANNED({ "faults_other", "count", 3 }, { "faults", "count", 30 });
	PLANNED({ "cycles_samples", "count", 3 }, { "faults", "count", 30 });
	PLANNED({ "a_objects", "count", 0 }, { "a_space", "bytes", 3 }, { "b_objects", "count", 0 },
		{ "b_space", "bytes", 300 });
	PLANNED({ "faults", "count", 3 }, { "objects", "count", 0 }, { "space", "bytes", 30 });
	PLANNED({ "cpu", "nanoseconds", 1 }, { "space", "bytes", 1 });
	PLANNED({ "cpu", "nanoseconds", 1 }, { "faults", "count", 30 });
}

static void only_lines_name_functions(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 }, line = { 0 };
	const struct profile_stack *s;

	(void)state;
	types(&b, &part);
	texts(&b);
	functions(&b, &part);
	number(&part, 1, 1);
	number(&part, 4, 7); /* a line that is not a message */
	number(&line, 1, 2);
	block(&part, 9, line.data, line.n); /* a message that is not a line */
	line.n = 0;
	number(&line, 1, 1);
	message(&part, 4, &line);
	message(&b, 4, &part);
	number(&part, 1, 1);
	number(&part, 2, 1);
	number(&part, 2, 1);
	message(&b, 2, &part);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	s = &p->stacks.items[p->weights.items[0].stack];
	assert_string_equal(p->frames.items[s->frame].function, "main");
	assert_int_equal(s->parent, STACK_PROFILE_ROOT);
	bytes_done(&line);
	bytes_done(&part);
	bytes_done(&b);
}

static void a_function_without_a_name_is_an_address(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 }, part = { 0 }, line = { 0 };
	const struct profile_frame *f;

	(void)state;
	types(&b, &part);
	texts(&b);
	number(&part, 1, 1); /* a function with only its id */
	message(&b, 5, &part);
	number(&part, 1, 1);
	number(&part, 3, 0x1234);
	number(&line, 1, 1);
	message(&part, 4, &line);
	message(&b, 4, &part);
	number(&part, 1, 1);
	number(&part, 2, 1);
	number(&part, 2, 1);
	message(&b, 2, &part);
	assert_int_equal(format_pprof.read((const char *)b.data, b.n, p, &diag), 0);
	f = &p->frames.items[p->stacks.items[p->weights.items[0].stack].frame];
	assert_null(f->function);
	assert_int_equal(f->offset, 0x1234);
	bytes_done(&line);
	bytes_done(&part);
	bytes_done(&b);
}

static void sixteen_fields_tell(void **state)
{
	struct bytes b = { 0 }, part = { 0 };

	(void)state;
	types(&b, &part);
	for (int i = 2; i < 15; i++)
		number(&b, 10, 1);
	number(&b, 16, 1);
	assert_false(format_pprof.is_it((const char *)b.data, b.n));
	b.n = 0;
	types(&b, &part);
	for (int i = 2; i < 16; i++)
		number(&b, 10, 1);
	number(&b, 16, 1);
	assert_true(format_pprof.is_it((const char *)b.data, b.n));
	bytes_done(&part);
	bytes_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_become_stacks),
		cmocka_unit_test(a_location_that_is_missing_is_damage),
		cmocka_unit_test(a_file_that_is_cut_is_refused),
		cmocka_unit_test(other_bytes_are_not_taken_for_one),
		cmocka_unit_test(fields_come_in_any_order),
		cmocka_unit_test(frames_are_paid_for),
		cmocka_unit_test(commands_are_told_apart),
		cmocka_unit_test(the_event_to_be_shown_comes_first),
		cmocka_unit_test(labels_tell_tasks_and_cpus),
		cmocka_unit_test(only_positive_values_weigh),
		cmocka_unit_test(three_fields_are_enough_of_a_beginning),
		cmocka_unit_test(the_program_has_its_name_from_the_first_mapping),
		cmocka_unit_test(without_types_or_texts_it_is_none),
		cmocka_unit_test(a_type_is_two_numbers),
		cmocka_unit_test(a_value_that_is_no_count_counts_nothing),
		cmocka_unit_test(counts_are_samples_of_what_follows),
		cmocka_unit_test(only_lines_name_functions),
		cmocka_unit_test(a_function_without_a_name_is_an_address),
		cmocka_unit_test(sixteen_fields_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
