/* SPDX-License-Identifier: MIT */
/*
 * A trace is a list of packets of the schema perfetto_trace.proto. Samples of an event are a
 * sequence of packets: the objects to which they refer by number (functions, mappings, frames,
 * stacks) are written once in the sequence, in the packet that needs them first. The tasks that ran
 * are written like the kernel's sched_switch, in bundles of a CPU. Threads and their names come at
 * the end.
 */
#include "tools/data/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "base/build-id.h"
#include "base/memory.h"
#include "base/protobuf.h"
#include "base/u64-map.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/data/timeline.h"

/* Fields of the messages. */
enum {
	TRACE_PACKET = 1,

	PACKET_FTRACE = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_PERF_SAMPLE = 66,

	DEFAULTS_PERF = 12,
	PERF_DEFAULTS_TIMEBASE = 1,
	TIMEBASE_PERIOD = 1,
	TIMEBASE_FREQUENCY = 2,
	TIMEBASE_NAME = 10,

	SAMPLE_CPU = 1,
	SAMPLE_PID = 2,
	SAMPLE_TID = 3,
	SAMPLE_STACK = 4,
	SAMPLE_MODE = 5,
	SAMPLE_COUNT = 6,

	INTERNED_FUNCTION = 5,
	INTERNED_FRAME = 6,
	INTERNED_STACK = 7,
	INTERNED_BUILD_ID = 16,
	INTERNED_PATH = 17,
	INTERNED_MAPPING = 19,

	STRING_ID = 1,
	STRING_BYTES = 2,

	MAPPING_ID = 1,
	MAPPING_BUILD_ID = 2,
	MAPPING_START = 4,
	MAPPING_END = 5,
	MAPPING_PATH = 7,
	MAPPING_OFFSET = 8,

	FRAME_ID = 1,
	FRAME_FUNCTION = 2,
	FRAME_MAPPING = 3,
	FRAME_ADDRESS = 4,

	STACK_ID = 1,
	STACK_FRAMES = 2,

	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	FTRACE_TIME = 1,
	FTRACE_TID = 2,
	FTRACE_SWITCH = 4,
	SWITCH_PREV_COMM = 1,
	SWITCH_PREV_TID = 2,
	SWITCH_PREV_STATE = 4,
	SWITCH_NEXT_COMM = 5,
	SWITCH_NEXT_TID = 6,

	TREE_PROCESS = 1,
	TREE_THREAD = 2,
	PROCESS_PID = 1,
	PROCESS_COMMAND = 3,
	THREAD_TID = 1,
	THREAD_NAME = 2,
	THREAD_PID = 3,

	TRACK_ID = 1,
	TRACK_THREAD = 4,
	TRACK_THREAD_PID = 1,
	TRACK_THREAD_TID = 2,
	TRACK_THREAD_NAME = 5,

	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	ANNOTATION_TEXT = 6,
	ANNOTATION_NAME = 10,

	EVENT_TYPE_INSTANT = 3,
	SEQUENCE_CLEARED = 1,
	SEQUENCE_NEEDS_STATE = 2,
	MODE_KERNEL = 1,
	MODE_USER = 2,
};

#define PIECE_BYTES     65536
#define BUNDLE_BYTES    8192
#define CPUS_MAX        65536
#define EVENTS_SEQUENCE 1 /* for tracepoints and switches; those of samples follow */

/* If the next task comes within this time after another left, it is one switch, without idling. */
#define ONE_SWITCH_NS 50000

/* The objects that a sequence has written. */
struct data_perfetto_sequence {
	size_t functions, images, locations;
	uint8_t *stacks; /* by stack: 1 if it was written */
	size_t n_stacks;
	struct u64_map counters; /* by CPU: index in perfetto.counts + 1 */
	bool has_begun;
};

struct perfetto_cpu {
	struct protobuf events; /* the events of a bundle */
	uint32_t leaving;       /* CODE_NONE: nobody */
	uint64_t left_at;
	char state;
};

struct perfetto {
	const struct timeline *t;
	FILE *out;
	struct protobuf p;
	struct {
		struct data_perfetto_sequence *items;
		size_t n, room;
	} sequences; /* indexed by event */
	struct {
		struct perfetto_cpu *items;
		size_t n, room;
	} cpus;
	size_t n_tracks; /* number of tasks with written tracks */
	uint8_t *tracks; /* by task: 1 if its track was written */
	struct {
		uint64_t *items;
		size_t n, room;
	} path, counts;
};

static void *perfetto_begin(const struct timeline *t, const struct export_source *src)
{
	struct perfetto *o = xcalloc(1, sizeof(*o));

	o->t = t;
	o->out = src->out;
	return o;
}

static void perfetto_release(void *arg)
{
	struct perfetto *o = arg;

	for (size_t i = 0; i < o->sequences.n; i++) {
		free(o->sequences.items[i].stacks);
		u64_map_done(&o->sequences.items[i].counters);
	}
	for (size_t i = 0; i < o->cpus.n; i++)
		protobuf_done(&o->cpus.items[i].events);
	free(o->sequences.items);
	free(o->cpus.items);
	free(o->tracks);
	free(o->path.items);
	free(o->counts.items);
	protobuf_done(&o->p);
	free(o);
}

static void perfetto_hand_on(struct perfetto *o, size_t limit)
{
	if (o->p.out.n < limit)
		return;
	fwrite(o->p.out.data, 1, o->p.out.n, o->out);
	protobuf_clear(&o->p);
}

static void begin_packet(struct perfetto *o, uint64_t sequence)
{
	protobuf_begin(&o->p, TRACE_PACKET);
	protobuf_number(&o->p, PACKET_SEQUENCE, sequence);
}

static void end_packet(struct perfetto *o)
{
	protobuf_end(&o->p);
	perfetto_hand_on(o, PIECE_BYTES);
}

/* Adds a string to an index. Such strings may be any bytes. */
static void perfetto_add_string(struct perfetto *o, unsigned field, uint64_t id, const char *s)
{
	protobuf_begin(&o->p, field);
	protobuf_number(&o->p, STRING_ID, id);
	protobuf_text(&o->p, STRING_BYTES, s);
	protobuf_end(&o->p);
}

/* Adds a build-id in binary, as it is in the file: readers convert it to hexadecimal text. */
static void perfetto_add_build_id(struct perfetto *o, uint64_t number, const struct build_id *id)
{
	protobuf_begin(&o->p, INTERNED_BUILD_ID);
	protobuf_number(&o->p, STRING_ID, number);
	protobuf_bytes(&o->p, STRING_BYTES, id->bytes, id->size);
	protobuf_end(&o->p);
}

static void perfetto_add_mapping(struct perfetto *o, size_t i)
{
	const struct code_image *im = &o->t->stacks.code.images.items[i];

	perfetto_add_string(o, INTERNED_PATH, i + 1, code_image_name(im));
	perfetto_add_build_id(o, i + 1, image_build_id(im->image));
	protobuf_begin(&o->p, INTERNED_MAPPING);
	protobuf_number(&o->p, MAPPING_ID, i + 1);
	protobuf_number(&o->p, MAPPING_BUILD_ID, i + 1);
	protobuf_number(&o->p, MAPPING_START, im->start);
	protobuf_number(&o->p, MAPPING_END, im->end);
	protobuf_number(&o->p, MAPPING_OFFSET, im->offset);
	protobuf_number(&o->p, MAPPING_PATH, i + 1);
	protobuf_end(&o->p);
}

/*
 * Returns the id of a frame. Frames are functions at a location, or the location itself if there is
 * none.
 */
static uint64_t frame_id(uint32_t location, const struct code_location *l, uint32_t i)
{
	return l->n_lines ? 2 * (uint64_t)(l->first_line + i) + 1 : 2 * (uint64_t)location + 2;
}

static uint64_t relative_address(const struct perfetto *o, const struct code_location *l)
{
	const struct code_image *im = &o->t->stacks.code.images.items[l->image];

	return l->addr - im->start + im->offset;
}

static void perfetto_add_frame(struct perfetto *o, uint32_t location, uint32_t i)
{
	const struct code_table *c = &o->t->stacks.code;
	const struct code_location *l = &c->locations.items[location];

	protobuf_begin(&o->p, INTERNED_FRAME);
	protobuf_number(&o->p, FRAME_ID, frame_id(location, l, i));
	if (l->n_lines)
		protobuf_number(&o->p, FRAME_FUNCTION,
				c->lines.items[l->first_line + i].function + 1);
	if (l->image != CODE_NONE) {
		protobuf_number(&o->p, FRAME_MAPPING, l->image + 1);
		protobuf_number(&o->p, FRAME_ADDRESS, relative_address(o, l));
	}
	protobuf_end(&o->p);
}

/* Adds all entries of the tables that the sequence has not written yet. */
static void perfetto_add_code(struct perfetto *o, struct data_perfetto_sequence *s)
{
	const struct code_table *c = &o->t->stacks.code;

	for (; s->functions < c->functions.n; s->functions++)
		perfetto_add_string(o, INTERNED_FUNCTION, s->functions + 1,
				    c->functions.items[s->functions].name);
	for (; s->images < c->images.n; s->images++)
		perfetto_add_mapping(o, s->images);
	for (; s->locations < c->locations.n; s->locations++) {
		uint32_t n = code_location_frames(&c->locations.items[s->locations]);

		for (uint32_t i = 0; i < n; i++)
			perfetto_add_frame(o, (uint32_t)s->locations, i);
	}
}

/* Adds a stack. The outermost frame comes first. */
static void perfetto_add_stack(struct perfetto *o, uint32_t stack)
{
	const struct stack_table *t = &o->t->stacks;

	o->path.n = 0;
	for (uint32_t at = stack; at != CODE_NONE; at = stack_caller(t, at)) {
		uint32_t location = stack_location(t, at);
		const struct code_location *l = &t->code.locations.items[location];

		for (uint32_t i = 0; i < code_location_frames(l); i++)
			*ARRAY_ADD(&o->path) = frame_id(location, l, i);
	}
	protobuf_begin(&o->p, INTERNED_STACK);
	protobuf_number(&o->p, STACK_ID, stack + 1);
	while (o->path.n)
		protobuf_number(&o->p, STACK_FRAMES, o->path.items[--o->path.n]);
	protobuf_end(&o->p);
}

/* True if the sequence has written @stack already; it is marked as written. */
static bool tell_stack(struct data_perfetto_sequence *s, uint32_t stack)
{
	if (stack >= s->n_stacks) {
		size_t n = (size_t)stack + 1 + stack / 2;

		s->stacks = xrealloc(s->stacks, n);
		memset(s->stacks + s->n_stacks, 0, n - s->n_stacks);
		s->n_stacks = n;
	}
	if (s->stacks[stack])
		return true;
	s->stacks[stack] = 1;
	return false;
}

static void add_interned(struct perfetto *o, struct data_perfetto_sequence *s, uint32_t stack)
{
	if (stack == CODE_NONE || tell_stack(s, stack))
		return;
	protobuf_begin(&o->p, PACKET_INTERNED);
	perfetto_add_code(o, s);
	perfetto_add_stack(o, stack);
	protobuf_end(&o->p);
}

/* Adds the defaults: the first packet of a sequence names the event of its samples. */
static void add_defaults(struct perfetto *o, const struct session_event *e)
{
	protobuf_begin(&o->p, PACKET_DEFAULTS);
	protobuf_begin(&o->p, DEFAULTS_PERF);
	protobuf_begin(&o->p, PERF_DEFAULTS_TIMEBASE);
	protobuf_number(&o->p, e->attr.freq ? TIMEBASE_FREQUENCY : TIMEBASE_PERIOD,
			e->attr.sample_period);
	protobuf_text(&o->p, TIMEBASE_NAME, e->name);
	protobuf_end(&o->p);
	protobuf_end(&o->p);
	protobuf_end(&o->p);
}

static void add_sequence(struct perfetto *o, struct data_perfetto_sequence *s,
			 const struct session_event *e)
{
	protobuf_number(&o->p, PACKET_SEQUENCE_FLAGS,
			s->has_begun ? SEQUENCE_NEEDS_STATE : SEQUENCE_CLEARED);
	if (!s->has_begun)
		add_defaults(o, e);
	s->has_begun = true;
}

static bool perfetto_is_of_kernel(const struct perfetto *o, uint32_t stack)
{
	const struct stack_table *t = &o->t->stacks;

	return t->code.locations.items[stack_location(t, stack)].is_of_kernel;
}

static void add_track(struct perfetto *o, uint32_t task)
{
	const struct timeline_task *t = &o->t->tasks.items[task];

	if (task >= o->n_tracks) {
		size_t n = (size_t)task + 1 + task / 2;

		o->tracks = xrealloc(o->tracks, n);
		memset(o->tracks + o->n_tracks, 0, n - o->n_tracks);
		o->n_tracks = n;
	}
	if (o->tracks[task])
		return;
	o->tracks[task] = 1;
	begin_packet(o, EVENTS_SEQUENCE);
	protobuf_begin(&o->p, PACKET_TRACK);
	protobuf_number(&o->p, TRACK_ID, task + 1);
	protobuf_begin(&o->p, TRACK_THREAD);
	protobuf_number(&o->p, TRACK_THREAD_PID, t->pid);
	protobuf_number(&o->p, TRACK_THREAD_TID, t->tid);
	protobuf_text(&o->p, TRACK_THREAD_NAME, t->comm);
	protobuf_end(&o->p);
	protobuf_end(&o->p);
	end_packet(o);
}

static void add_instant(struct perfetto *o, const struct timeline_sample *s)
{
	add_track(o, s->task);
	begin_packet(o, EVENTS_SEQUENCE);
	protobuf_number(&o->p, PACKET_TIME, s->time);
	protobuf_begin(&o->p, PACKET_TRACK_EVENT);
	protobuf_number(&o->p, EVENT_TYPE, EVENT_TYPE_INSTANT);
	protobuf_number(&o->p, EVENT_TRACK, s->task + 1);
	protobuf_text(&o->p, EVENT_CATEGORY, "tracepoint");
	protobuf_text(&o->p, EVENT_NAME, s->event->name);
	protobuf_begin(&o->p, EVENT_ANNOTATION);
	protobuf_text(&o->p, ANNOTATION_NAME, "text");
	protobuf_text(&o->p, ANNOTATION_TEXT, s->text);
	protobuf_end(&o->p);
	protobuf_end(&o->p);
	end_packet(o);
}

/* Returns the count of the event on the sample's CPU: the schema has totals, not differences. */
static uint64_t count_up(struct perfetto *o, struct data_perfetto_sequence *sequence,
			 const struct timeline_sample *s)
{
	uint64_t cpu = s->cpu >= 0 ? (uint64_t)s->cpu : 0;
	uintptr_t place = (uintptr_t)u64_map_find(&sequence->counters, cpu);

	if (!place) {
		ARRAY_ADD(&o->counts);
		place = o->counts.n;
		u64_map_put(&sequence->counters, cpu, (void *)place);
	}
	return o->counts.items[place - 1] += s->period;
}

static void perfetto_add_sample(void *arg, const struct timeline_sample *s)
{
	struct perfetto *o = arg;
	const struct timeline_task *task = &o->t->tasks.items[s->task];
	struct data_perfetto_sequence *sequence;

	while (o->sequences.n <= s->event->index)
		ARRAY_ADD(&o->sequences);
	sequence = &o->sequences.items[s->event->index];
	if (s->text)
		add_instant(o, s);
	begin_packet(o, EVENTS_SEQUENCE + 1 + s->event->index);
	protobuf_number(&o->p, PACKET_TIME, s->time);
	add_sequence(o, sequence, s->event);
	add_interned(o, sequence, s->stack);
	protobuf_begin(&o->p, PACKET_PERF_SAMPLE);
	if (s->cpu >= 0)
		protobuf_number(&o->p, SAMPLE_CPU, (uint64_t)s->cpu);
	protobuf_number(&o->p, SAMPLE_PID, task->pid);
	protobuf_number(&o->p, SAMPLE_TID, task->tid);
	protobuf_number(&o->p, SAMPLE_COUNT, count_up(o, sequence, s));
	if (s->stack != CODE_NONE) {
		protobuf_number(&o->p, SAMPLE_STACK, s->stack + 1);
		protobuf_number(&o->p, SAMPLE_MODE,
				perfetto_is_of_kernel(o, s->stack) ? MODE_KERNEL : MODE_USER);
	}
	protobuf_end(&o->p);
	end_packet(o);
}

static void end_bundle(struct perfetto *o, uint32_t cpu)
{
	struct perfetto_cpu *c = &o->cpus.items[cpu];

	if (!c->events.out.n)
		return;
	begin_packet(o, EVENTS_SEQUENCE);
	protobuf_begin(&o->p, PACKET_FTRACE);
	protobuf_number(&o->p, BUNDLE_CPU, cpu);
	bytes_add(&o->p.out, c->events.out.data, c->events.out.n);
	protobuf_end(&o->p);
	end_packet(o);
	protobuf_clear(&c->events);
}

/* Returns the kernel's number for a state, as in Linux 4.14 and later. */
static uint64_t state_number(char state)
{
	switch (state) {
	case 'S':
		return 1;
	case 'D':
		return 2;
	case 'T':
		return 4;
	case 'X':
		return 16;
	default:
		return 0;
	}
}

/* Returns the task; thread 0 is the idle task. */
static const struct timeline_task *task_or_idle(const struct perfetto *o, uint32_t task)
{
	static const struct timeline_task idle = { .comm = "swapper" };

	return task == CODE_NONE ? &idle : &o->t->tasks.items[task];
}

static void add_ftrace(struct perfetto *o, uint32_t cpu, uint64_t time, uint32_t prev, char state,
		       uint32_t next)
{
	struct protobuf *p = &o->cpus.items[cpu].events;
	const struct timeline_task *from = task_or_idle(o, prev), *to = task_or_idle(o, next);

	protobuf_begin(p, BUNDLE_EVENT);
	protobuf_number(p, FTRACE_TIME, time);
	protobuf_number(p, FTRACE_TID, from->tid);
	protobuf_begin(p, FTRACE_SWITCH);
	protobuf_text(p, SWITCH_PREV_COMM, from->comm);
	protobuf_number(p, SWITCH_PREV_TID, from->tid);
	protobuf_number(p, SWITCH_PREV_STATE, state_number(state));
	protobuf_text(p, SWITCH_NEXT_COMM, to->comm);
	protobuf_number(p, SWITCH_NEXT_TID, to->tid);
	protobuf_end(p);
	protobuf_end(p);
	if (p->out.n >= BUNDLE_BYTES)
		end_bundle(o, cpu);
}

static struct perfetto_cpu *perfetto_find_cpu(struct perfetto *o, uint32_t cpu)
{
	while (o->cpus.n <= cpu)
		*ARRAY_ADD(&o->cpus) = (struct perfetto_cpu){ .leaving = CODE_NONE };
	return &o->cpus.items[cpu];
}

static void perfetto_add_switch(void *arg, const struct timeline_switch *s)
{
	struct perfetto *o = arg;
	uint32_t cpu = (uint32_t)s->cpu;
	struct perfetto_cpu *c;
	bool at_once;

	if (cpu >= CPUS_MAX)
		return;
	c = perfetto_find_cpu(o, cpu);
	at_once = s->comes && c->leaving != CODE_NONE && s->time - c->left_at <= ONE_SWITCH_NS;
	if (at_once)
		add_ftrace(o, cpu, c->left_at, c->leaving, c->state, s->task);
	else if (c->leaving != CODE_NONE)
		add_ftrace(o, cpu, c->left_at, c->leaving, c->state, CODE_NONE);
	if (s->comes && !at_once)
		add_ftrace(o, cpu, s->time, CODE_NONE, 'R', s->task);
	c->leaving = s->comes ? CODE_NONE : s->task;
	c->left_at = s->time;
	c->state = s->state;
}

static void perfetto_add_tasks(struct perfetto *o)
{
	begin_packet(o, EVENTS_SEQUENCE);
	protobuf_begin(&o->p, PACKET_PROCESS_TREE);
	for (size_t i = 0; i < o->t->tasks.n; i++) {
		const struct timeline_task *t = &o->t->tasks.items[i];

		protobuf_begin(&o->p, TREE_PROCESS);
		protobuf_number(&o->p, PROCESS_PID, t->pid);
		protobuf_text(&o->p, PROCESS_COMMAND,
			      machine_comm(o->t->session, t->pid, t->pid, t->last));
		protobuf_end(&o->p);
		protobuf_begin(&o->p, TREE_THREAD);
		protobuf_number(&o->p, THREAD_TID, t->tid);
		protobuf_text(&o->p, THREAD_NAME, t->comm);
		protobuf_number(&o->p, THREAD_PID, t->pid);
		protobuf_end(&o->p);
	}
	protobuf_end(&o->p);
	end_packet(o);
}

static int perfetto_end(void *arg, struct diag *diag)
{
	struct perfetto *o = arg;

	(void)diag;
	for (uint32_t i = 0; i < o->cpus.n; i++) {
		struct perfetto_cpu *c = &o->cpus.items[i];

		if (c->leaving != CODE_NONE)
			add_ftrace(o, i, c->left_at, c->leaving, c->state, CODE_NONE);
		end_bundle(o, i);
	}
	perfetto_add_tasks(o);
	perfetto_hand_on(o, 0);
	return 0;
}

static const struct timeline_writer writer = {
	.wants_text = true,
	.begin = perfetto_begin,
	.sample = perfetto_add_sample,
	.switched = perfetto_add_switch,
	.end = perfetto_end,
	.free = perfetto_release,
};

const struct export_format export_perfetto = {
	.word = "perfetto",
	.title = "Perfetto trace",
	.by_function = true,
	.timeline = &writer,
};
