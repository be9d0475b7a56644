/* SPDX-License-Identifier: MIT */
/*
 * The "Trace Event Format" as an object: traceEvents, samples and stackFrames. Times are in
 * microseconds, with three decimals. A task's run on a CPU is a slice in a process that stands for
 * all CPUs and has a thread for each.
 *
 * Events are written as they come. Samples are in a list of their own after the events, so they
 * wait in a temporary file, a line for each, and stacks wait in their table.
 */
#include "tools/data/chrome.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/data/timeline.h"
#include "view/json.h"

/*
 * The pid of the process for CPUs. It is larger than any pid: 2^22 is the kernel's limit. Samples
 * name their thread without its process.
 */
#define CPUS_PID     (1 << 30)
#define CPU_TID(cpu) (CPUS_PID + 1 + (int64_t)(cpu))

/*
 * The tid for a thread whose number another thread had first: a pid that is used again, or -1 after
 * its exit.
 */
#define OTHER_TID(task) (CPUS_PID + 1 + CPUS_MAX + (int64_t)(task))

/* The task that runs on a CPU, and since when. */
struct data_chrome_running {
	uint32_t task; /* CODE_NONE: not known */
	uint64_t since;
};

struct chrome {
	const struct timeline *t;
	struct json j;
	FILE *samples; /* the elements of the list of samples */
	int error;     /* the errno of that file */
	struct text sample;
	struct {
		struct data_chrome_running *items;
		size_t n, room;
	} cpus;
	struct u64_map first_of_tid; /* by tid: the first task that had it, + 1 */
};

/* CPUs beyond this are not drawn, because their number comes from the recording. */
#define CPUS_MAX 65536

static void *chrome_begin(const struct timeline *t, const struct export_source *src)
{
	struct chrome *o = xcalloc(1, sizeof(*o));

	o->t = t;
	o->sample = (struct text)TEXT_EMPTY;
	o->samples = tmpfile();
	if (!o->samples)
		o->error = errno;
	json_init(&o->j, src->out);
	o->j.on_line = o->j.is_tight = true;
	o->j.colon = ":";
	json_object(&o->j);
	json_member(&o->j, "displayTimeUnit", "ns");
	json_key(&o->j, "traceEvents");
	json_array(&o->j);
	return o;
}

static void chrome_release(void *arg)
{
	struct chrome *o = arg;

	if (o->samples)
		fclose(o->samples);
	text_done(&o->sample);
	u64_map_done(&o->first_of_tid);
	free(o->cpus.items);
	free(o);
}

static void write_us(struct json *j, const char *key, uint64_t ns)
{
	char text[2 * DIGITS_MAX + 1], *at = digits_decimal(text, ns / 1000);

	*at++ = '.';
	at = digits_decimal_right(at, ns % 1000, 3, '0');
	json_key(j, key);
	json_written(j, text, (size_t)(at - text));
}

/* Returns a tid that no other task has, because a sample identifies its thread only by this. */
static int64_t tid_of(struct chrome *o, uint32_t task)
{
	uint32_t tid = o->t->tasks.items[task].tid;
	uintptr_t first = (uintptr_t)u64_map_find(&o->first_of_tid, tid);

	if (!first) {
		first = (uintptr_t)task + 1;
		u64_map_put(&o->first_of_tid, tid, (void *)first);
	}
	return first == (uintptr_t)task + 1 ? (int32_t)tid : OTHER_TID(task);
}

/* Writes the members that all events have. */
static void chrome_begin_event(struct chrome *o, const char *phase, const char *name, int64_t pid,
			       int64_t tid)
{
	json_object(&o->j);
	json_member(&o->j, "ph", phase);
	json_member(&o->j, "name", name);
	json_member_signed(&o->j, "pid", pid);
	json_member_signed(&o->j, "tid", tid);
}

static void write_instant(struct chrome *o, const struct timeline_sample *s)
{
	const struct timeline_task *task = &o->t->tasks.items[s->task];

	chrome_begin_event(o, "i", s->event->name, (int32_t)task->pid, tid_of(o, s->task));
	json_member(&o->j, "cat", "tracepoint");
	json_member(&o->j, "s", "t");
	write_us(&o->j, "ts", s->time);
	json_key(&o->j, "args");
	json_object(&o->j);
	json_member(&o->j, "text", s->text);
	json_end(&o->j, '}');
	json_end(&o->j, '}');
}

static void write_sample(struct chrome *o, const struct timeline_sample *s)
{
	struct json j;
	char stack[16];

	json_init_value(&j, &o->sample, 1);
	j.on_line = j.is_tight = true;
	j.colon = ":";
	json_object(&j);
	if (s->cpu >= 0)
		json_member_signed(&j, "cpu", s->cpu);
	json_member_signed(&j, "tid", tid_of(o, s->task));
	write_us(&j, "ts", s->time);
	json_member(&j, "name", s->event->name);
	snprintf(stack, sizeof(stack), "%" PRIu32, s->stack);
	json_member(&j, "sf", s->stack == CODE_NONE ? NULL : stack);
	json_member_unsigned(&j, "weight", s->period);
	json_end(&j, '}');
}

static void chrome_add_sample(void *arg, const struct timeline_sample *s)
{
	struct chrome *o = arg;

	if (s->text)
		write_instant(o, s);
	if (!o->samples)
		return;
	text_clear(&o->sample);
	write_sample(o, s);
	text_add_char(&o->sample, '\n');
	fwrite(o->sample.chars, 1, o->sample.length, o->samples);
}

static void write_slice(struct chrome *o, uint32_t cpu, uint64_t until)
{
	const struct data_chrome_running *r = &o->cpus.items[cpu];
	const struct timeline_task *task;

	if (r->task == CODE_NONE || until < r->since)
		return;
	task = &o->t->tasks.items[r->task];
	if (!task->tid)
		return;
	chrome_begin_event(o, "X", task->comm, CPUS_PID, CPU_TID(cpu));
	json_member(&o->j, "cat", "sched");
	write_us(&o->j, "ts", r->since);
	write_us(&o->j, "dur", until - r->since);
	json_key(&o->j, "args");
	json_object(&o->j);
	json_member_signed(&o->j, "pid", (int32_t)task->pid);
	json_member_signed(&o->j, "tid", (int32_t)task->tid);
	json_end(&o->j, '}');
	json_end(&o->j, '}');
}

static void chrome_add_switch(void *arg, const struct timeline_switch *s)
{
	struct chrome *o = arg;
	uint32_t cpu = (uint32_t)s->cpu;

	if (cpu >= CPUS_MAX)
		return;
	while (o->cpus.n <= cpu)
		*ARRAY_ADD(&o->cpus) = (struct data_chrome_running){ .task = CODE_NONE };
	write_slice(o, cpu, s->time);
	o->cpus.items[cpu] = (struct data_chrome_running){ .task = s->comes ? s->task : CODE_NONE,
							   .since = s->time };
}

static void write_name(struct chrome *o, const char *what, int64_t pid, int64_t tid,
		       const char *name)
{
	chrome_begin_event(o, "M", what, pid, tid);
	json_key(&o->j, "args");
	json_object(&o->j);
	json_member(&o->j, "name", name);
	json_end(&o->j, '}');
	json_end(&o->j, '}');
}

static void write_names(struct chrome *o)
{
	char name[32];

	for (uint32_t i = 0; i < o->t->tasks.n; i++) {
		const struct timeline_task *t = &o->t->tasks.items[i];

		if (t->pid == t->tid)
			write_name(o, "process_name", (int32_t)t->pid, tid_of(o, i), t->comm);
		write_name(o, "thread_name", (int32_t)t->pid, tid_of(o, i), t->comm);
	}
	if (o->cpus.n)
		write_name(o, "process_name", CPUS_PID, CPU_TID(0), "CPUs");
	for (size_t i = 0; i < o->cpus.n; i++) {
		snprintf(name, sizeof(name), "CPU %zu", i);
		write_name(o, "thread_name", CPUS_PID, CPU_TID(i), name);
	}
}

/*
 * Writes a frame. A frame has one number, and a location several functions: those into which others
 * are inlined are numbered "STACK.N".
 */
static void chrome_write_frame(struct chrome *o, uint32_t stack, uint32_t i)
{
	const struct code_table *c = &o->t->stacks.code;
	const struct code_location *l = &c->locations.items[stack_location(&o->t->stacks, stack)];
	uint32_t caller = stack_caller(&o->t->stacks, stack);
	char id[32], parent[32], room[TIMELINE_NAME_MAX];
	bool is_last = i + 1 >= code_location_frames(l);

	snprintf(id, sizeof(id), i ? "%" PRIu32 ".%" PRIu32 : "%" PRIu32, stack, i);
	if (is_last)
		snprintf(parent, sizeof(parent), "%" PRIu32, caller);
	else
		snprintf(parent, sizeof(parent), "%" PRIu32 ".%" PRIu32, stack, i + 1);
	json_key(&o->j, id);
	json_object(&o->j);
	json_member(&o->j, "category",
		    l->image == CODE_NONE ? "[unknown]"
					  : image_short_name(c->images.items[l->image].image));
	json_member(&o->j, "name", timeline_line_name(o->t, l, i, room));
	json_member(&o->j, "parent", is_last && caller == CODE_NONE ? NULL : parent);
	json_end(&o->j, '}');
}

static void chrome_write_stacks(struct chrome *o)
{
	const struct code_table *c = &o->t->stacks.code;

	json_key(&o->j, "stackFrames");
	json_object(&o->j);
	for (uint32_t i = 0; i < o->t->stacks.items.n; i++) {
		uint32_t location = stack_location(&o->t->stacks, i);

		for (uint32_t k = code_location_frames(&c->locations.items[location]); k-- > 0;)
			chrome_write_frame(o, i, k);
	}
	json_end(&o->j, '}');
}

static void chrome_write_samples(struct chrome *o)
{
	_cleanup_(freep) char *line = NULL;
	size_t room = 0;
	ssize_t n;

	json_key(&o->j, "samples");
	json_array(&o->j);
	if (o->samples && (fflush(o->samples) == EOF || fseek(o->samples, 0, SEEK_SET)))
		o->error = errno;
	while (!o->error && (n = getline(&line, &room, o->samples)) > 0)
		json_written(&o->j, line, (size_t)n - 1);
	if (o->samples && ferror(o->samples))
		o->error = EIO;
	json_end(&o->j, ']');
}

static int chrome_end(void *arg, struct diag *diag)
{
	struct chrome *o = arg;

	for (uint32_t i = 0; i < o->cpus.n; i++)
		write_slice(o, i, o->t->last);
	write_names(o);
	json_end(&o->j, ']');
	chrome_write_stacks(o);
	chrome_write_samples(o);
	json_end(&o->j, '}');
	json_done(&o->j);
	if (!o->error)
		return 0;
	return diag_set(diag, -o->error, "cannot write a temporary file: %s", strerror(o->error));
}

static const struct timeline_writer writer = {
	.wants_text = true,
	.begin = chrome_begin,
	.sample = chrome_add_sample,
	.switched = chrome_add_switch,
	.end = chrome_end,
	.free = chrome_release,
};

const struct export_format export_chrome = {
	.word = "chrome",
	.title = "Chrome trace",
	.by_function = true,
	.timeline = &writer,
};
