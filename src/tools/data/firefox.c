/* SPDX-License-Identifier: MIT */
/*
 * The Firefox Profiler's processed format, version 44; later front ends upgrade it.
 *
 * A thread has tables of its own: strings, functions, frames, stacks, samples and markers, each as
 * columns. A lane becomes a thread there: the samples of one event of a task; the first lane of a
 * task has its markers too. A CPU is a lane whose markers show which task ran.
 */
#include "tools/data/firefox.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/text-table.h"
#include "base/text.h"
#include "elf/build-id.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/data/timeline.h"
#include "view/json.h"

#define FORMAT_VERSION 44
#define GECKO_VERSION  24
#define CPUS_MAX       65536
#define MARKERS_EVENT  UINT64_MAX /* for the lane of a task without samples */
#define CPU_LANE       (UINT64_MAX - 1)

enum category {
	CATEGORY_OTHER,
	CATEGORY_USER,
	CATEGORY_KERNEL,
	CATEGORY_OFF_CPU,
	CATEGORY_TRACEPOINT,
	N_CATEGORIES,
};

static const struct {
	const char *name, *color;
} categories[N_CATEGORIES] = {
	[CATEGORY_OTHER] = { "Other", "grey" },
	[CATEGORY_USER] = { "User", "yellow" },
	[CATEGORY_KERNEL] = { "Kernel", "orange" },
	[CATEGORY_OFF_CPU] = { "Off CPU", "blue" },
	[CATEGORY_TRACEPOINT] = { "Tracepoint", "green" },
};

struct lane_sample {
	uint64_t time, weight;
	uint64_t cpu_ns; /* the thread's running time since the sample before */
	uint32_t stack;
};

struct lane_marker {
	uint64_t start, end; /* end 0: an instant */
	uint32_t name, text; /* numbers in firefox.texts */
	uint32_t stack;
	enum category category;
};

struct firefox_lane {
	const struct session_event *event; /* NULL: the lane has no samples */
	uint32_t task;                     /* CODE_NONE: a CPU */
	uint32_t cpu;
	struct {
		struct lane_sample *items;
		size_t n, room;
	} samples;
	struct {
		struct lane_marker *items;
		size_t n, room;
	} markers;
};

/* The times of a task: when it came to a CPU or left it, and how long it has run. */
struct task_time {
	uint64_t since;   /* 0: not known */
	uint64_t run_ns;  /* until @since, if it runs */
	uint64_t told_ns; /* part of this time that samples have reported */
	uint32_t lane;    /* the lane with its markers, + 1 */
	char state;       /* 0: it runs */
};

struct firefox_cpu {
	uint32_t task; /* CODE_NONE: not known */
	uint64_t since;
};

struct firefox {
	const struct timeline *t;
	FILE *out;
	bool has_switches;
	struct text_table texts; /* the texts of markers */
	struct contexts lane_keys;
	struct {
		struct firefox_lane *items;
		size_t n, room;
	} lanes;
	struct {
		struct task_time *items;
		size_t n, room;
	} times;
	struct {
		struct firefox_cpu *items;
		size_t n, room;
	} cpus;
};

static void *firefox_begin(const struct timeline *t, const struct export_source *src)
{
	struct firefox *o = xcalloc(1, sizeof(*o));

	o->t = t;
	o->out = src->out;
	contexts_init(&o->lane_keys, 2);
	return o;
}

static void firefox_release(void *arg)
{
	struct firefox *o = arg;

	for (size_t i = 0; i < o->lanes.n; i++) {
		free(o->lanes.items[i].samples.items);
		free(o->lanes.items[i].markers.items);
	}
	free(o->lanes.items);
	free(o->times.items);
	free(o->cpus.items);
	contexts_done(&o->lane_keys);
	text_table_done(&o->texts);
	free(o);
}

static uint32_t find_lane(struct firefox *o, uint64_t task, uint64_t which,
			  const struct session_event *event)
{
	const uint64_t key[] = { task, which };
	uint32_t i = contexts_add(&o->lane_keys, key);

	if (i == o->lanes.n)
		*ARRAY_ADD(&o->lanes) = (struct firefox_lane){
			.event = event,
			.task = which == CPU_LANE ? CODE_NONE : (uint32_t)task,
			.cpu = which == CPU_LANE ? (uint32_t)task : 0,
		};
	return i;
}

static struct task_time *firefox_time_of(struct firefox *o, uint32_t task)
{
	while (o->times.n <= task)
		ARRAY_ADD(&o->times);
	return &o->times.items[task];
}

/* Returns the lane with the markers of @task: its first lane. */
static struct firefox_lane *marker_lane(struct firefox *o, uint32_t task)
{
	struct task_time *t = firefox_time_of(o, task);

	if (!t->lane)
		t->lane = find_lane(o, task, MARKERS_EVENT, NULL) + 1;
	return &o->lanes.items[t->lane - 1];
}

/* Returns how long @t has run until @now. */
static uint64_t run_until(const struct task_time *t, uint64_t now)
{
	return t->run_ns + (t->since && !t->state && now > t->since ? now - t->since : 0);
}

static void add_marker(struct firefox *o, const struct timeline_sample *s)
{
	uint32_t name = text_table_add(&o->texts, s->event->name);
	uint32_t text = text_table_add(&o->texts, s->text ? s->text : "");

	*ARRAY_ADD(&marker_lane(o, s->task)->markers) = (struct lane_marker){
		.start = s->time,
		.name = name,
		.text = text,
		.stack = s->stack,
		.category = CATEGORY_TRACEPOINT,
	};
}

static void tools_firefox_add_sample(void *arg, const struct timeline_sample *s)
{
	struct firefox *o = arg;
	struct task_time *t = firefox_time_of(o, s->task);
	uint64_t run;
	uint32_t lane;

	if (s->event->tracepoint) {
		add_marker(o, s);
		return;
	}
	lane = find_lane(o, s->task, s->event->index, s->event);
	t = firefox_time_of(o, s->task);
	if (!t->lane)
		t->lane = lane + 1;
	run = run_until(t, s->time);
	*ARRAY_ADD(&o->lanes.items[lane].samples) = (struct lane_sample){
		.time = s->time,
		.weight = s->period,
		.stack = s->stack,
		.cpu_ns = run - t->told_ns,
	};
	t->told_ns = run;
}

static void firefox_add_interval(struct firefox *o, struct firefox_lane *l, const char *name,
				 const char *text, uint64_t start, uint64_t end,
				 enum category category)
{
	uint32_t name_number = text_table_add(&o->texts, name);
	uint32_t text_number = text_table_add(&o->texts, text);

	*ARRAY_ADD(&l->markers) = (struct lane_marker){
		.start = start,
		.end = end,
		.name = name_number,
		.text = text_number,
		.stack = CODE_NONE,
		.category = category,
	};
}

static const char *state_text(char state)
{
	switch (state) {
	case 'R':
		return "runnable";
	case 'D':
		return "blocked";
	case 'T':
		return "stopped";
	case 'X':
		return "dead";
	default:
		return "sleeping";
	}
}

static void firefox_take_task(struct firefox *o, const struct timeline_switch *s)
{
	struct task_time *t = firefox_time_of(o, s->task);

	if (s->comes && t->state)
		firefox_add_interval(o, marker_lane(o, s->task), "Off CPU", state_text(t->state),
				     t->since, s->time, CATEGORY_OFF_CPU);
	t = firefox_time_of(o, s->task);
	t->run_ns = run_until(t, s->time);
	t->since = s->time;
	t->state = s->comes ? 0 : s->state;
}

static void end_cpu(struct firefox *o, uint32_t cpu, uint64_t until)
{
	const struct firefox_cpu *c = &o->cpus.items[cpu];
	const struct timeline_task *task;
	char text[32];
	uint32_t lane;

	if (c->task == CODE_NONE || !o->t->tasks.items[c->task].tid)
		return;
	task = &o->t->tasks.items[c->task];
	snprintf(text, sizeof(text), "%" PRId32 "/%" PRId32, (int32_t)task->pid,
		 (int32_t)task->tid);
	lane = find_lane(o, cpu, CPU_LANE, NULL);
	firefox_add_interval(o, &o->lanes.items[lane], task->comm, text, c->since, until,
			     CATEGORY_USER);
}

static void firefox_add_switch(void *arg, const struct timeline_switch *s)
{
	struct firefox *o = arg;
	uint32_t cpu = (uint32_t)s->cpu;

	o->has_switches = true;
	if (o->t->tasks.items[s->task].tid)
		firefox_take_task(o, s);
	if (cpu >= CPUS_MAX)
		return;
	while (o->cpus.n <= cpu)
		*ARRAY_ADD(&o->cpus) = (struct firefox_cpu){ .task = CODE_NONE };
	end_cpu(o, cpu, s->time);
	o->cpus.items[cpu] = (struct firefox_cpu){ .task = s->comes ? s->task : CODE_NONE,
						   .since = s->time };
}

/*
 * The tables of one thread: numbers of the whole recording are translated to those of the thread.
 */
struct thread_tables {
	struct text_table texts;
	struct contexts stacks;    /* caller + 1, frame */
	struct contexts frames;    /* location, index among its functions */
	struct contexts functions; /* name, image + 1 */
	struct contexts resources; /* image */
	uint32_t *of_stack;        /* by stack of the recording: its innermost stack here, + 1 */
};

static uint32_t thread_function(const struct firefox *o, struct thread_tables *t,
				const struct code_location *l, uint32_t i)
{
	char room[TIMELINE_NAME_MAX];
	uint64_t key[2] = { text_table_add(&t->texts, timeline_line_name(o->t, l, i, room)), 0 };
	const uint64_t image = l->image;

	if (l->image != CODE_NONE)
		key[1] = contexts_add(&t->resources, &image) + 1;
	return contexts_add(&t->functions, key);
}

/* Returns the thread's stack, + 1, for a stack of the recording; 0: none. */
static uint32_t thread_stack(const struct firefox *o, struct thread_tables *t, uint32_t stack)
{
	const struct stack_table *s = &o->t->stacks;
	const struct code_location *l;
	uint32_t location, here;

	if (stack == CODE_NONE)
		return 0;
	if (t->of_stack[stack])
		return t->of_stack[stack];
	here = thread_stack(o, t, stack_caller(s, stack));
	location = stack_location(s, stack);
	l = &s->code.locations.items[location];
	for (uint32_t i = code_location_frames(l); i-- > 0;) {
		const uint64_t frame[] = { location, i };
		uint32_t n_frames = t->frames.n;
		uint64_t key[] = { here, contexts_add(&t->frames, frame) };

		if (key[1] == n_frames)
			thread_function(o, t, l, i);
		here = contexts_add(&t->stacks, key) + 1;
	}
	t->of_stack[stack] = here;
	return here;
}

static void write_ms(struct json *j, uint64_t ns)
{
	char text[2 * DIGITS_MAX + 1], *at = digits_decimal(text, ns / 1000000);

	*at++ = '.';
	at = digits_decimal_right(at, ns % 1000000, 6, '0');
	json_written(j, text, (size_t)(at - text));
}

static uint64_t since_start(const struct firefox *o, uint64_t time)
{
	return time > o->t->first ? time - o->t->first : 0;
}

/* Writes one column: a value for each of @n rows. */
#define COLUMN(j, name, n, value)                                                                  \
	do {                                                                                       \
		json_key(j, name);                                                                 \
		json_array(j);                                                                     \
		for (size_t i = 0; i < (n); i++)                                                   \
			value;                                                                     \
		json_end(j, ']');                                                                  \
	} while (0)

static void write_empty(struct json *j, const char *name)
{
	json_key(j, name);
	json_array(j);
	json_end(j, ']');
}

static void firefox_write_known(struct json *j, uint64_t number_and_one)
{
	if (number_and_one)
		json_unsigned(j, number_and_one - 1);
	else
		json_null(j);
}

static void firefox_write_samples(const struct firefox *o, struct json *j, struct thread_tables *t,
				  const struct firefox_lane *l)
{
	const struct lane_sample *s = l->samples.items;
	size_t n = l->samples.n;

	json_key(j, "samples");
	json_object(j);
	json_member_unsigned(j, "length", n);
	COLUMN(j, "stack", n, firefox_write_known(j, thread_stack(o, t, s[i].stack)));
	COLUMN(j, "time", n, write_ms(j, since_start(o, s[i].time)));
	if (l->event && attr_is_clock(&l->event->attr)) {
		COLUMN(j, "weight", n, write_ms(j, s[i].weight));
		json_member(j, "weightType", "tracing-ms");
	} else {
		COLUMN(j, "weight", n, json_unsigned(j, s[i].weight));
		json_member(j, "weightType", "samples");
	}
	if (o->has_switches)
		COLUMN(j, "threadCPUDelta", n, json_unsigned(j, s[i].cpu_ns));
	json_end(j, '}');
}

static void write_data(const struct firefox *o, struct json *j, struct thread_tables *t,
		       const struct lane_marker *m)
{
	uint32_t stack = thread_stack(o, t, m->stack);

	json_object(j);
	json_member(j, "type", "perf");
	json_member(j, "text", o->texts.items[m->text]);
	if (stack) {
		json_key(j, "cause");
		json_object(j);
		json_member_unsigned(j, "stack", stack - 1);
		json_end(j, '}');
	}
	json_end(j, '}');
}

static void firefox_write_end(const struct firefox *o, struct json *j, const struct lane_marker *m)
{
	if (m->end)
		write_ms(j, since_start(o, m->end));
	else
		json_null(j);
}

static void write_markers(const struct firefox *o, struct json *j, struct thread_tables *t,
			  const struct firefox_lane *l)
{
	const struct lane_marker *m = l->markers.items;
	size_t n = l->markers.n;

	json_key(j, "markers");
	json_object(j);
	json_member_unsigned(j, "length", n);
	COLUMN(j, "category", n, json_unsigned(j, m[i].category));
	COLUMN(j, "data", n, write_data(o, j, t, &m[i]));
	COLUMN(j, "startTime", n, write_ms(j, since_start(o, m[i].start)));
	COLUMN(j, "endTime", n, firefox_write_end(o, j, &m[i]));
	COLUMN(j, "name", n,
	       json_unsigned(j, text_table_add(&t->texts, o->texts.items[m[i].name])));
	/* The phase tells an instant from an interval. */
	COLUMN(j, "phase", n, json_unsigned(j, !!m[i].end));
	json_end(j, '}');
}

static const struct code_location *frame_location(const struct firefox *o,
						  const struct thread_tables *t, size_t frame)
{
	return &o->t->stacks.code.locations.items[contexts_get(&t->frames, (uint32_t)frame)[0]];
}

static void write_frames(const struct firefox *o, struct json *j, struct thread_tables *t)
{
	size_t n = t->frames.n;

	json_key(j, "frameTable");
	json_object(j);
	json_member_unsigned(j, "length", n);
	COLUMN(j, "address", n, json_signed(j, -1));
	COLUMN(j, "inlineDepth", n, json_unsigned(j, 0));
	COLUMN(j, "category", n,
	       json_unsigned(j, frame_location(o, t, i)->is_of_kernel ? CATEGORY_KERNEL
								      : CATEGORY_USER));
	COLUMN(j, "subcategory", n, json_unsigned(j, 0));
	COLUMN(j, "func", n,
	       json_unsigned(j,
			     thread_function(o, t, frame_location(o, t, i),
					     (uint32_t)contexts_get(&t->frames, (uint32_t)i)[1])));
	COLUMN(j, "nativeSymbol", n, json_null(j));
	COLUMN(j, "innerWindowID", n, json_null(j));
	COLUMN(j, "implementation", n, json_null(j));
	COLUMN(j, "line", n, json_null(j));
	COLUMN(j, "column", n, json_null(j));
	json_end(j, '}');
}

static void firefox_write_stacks(const struct firefox *o, struct json *j,
				 const struct thread_tables *t)
{
	size_t n = t->stacks.n;

	json_key(j, "stackTable");
	json_object(j);
	json_member_unsigned(j, "length", n);
	COLUMN(j, "prefix", n, firefox_write_known(j, contexts_get(&t->stacks, (uint32_t)i)[0]));
	COLUMN(j, "frame", n, json_unsigned(j, contexts_get(&t->stacks, (uint32_t)i)[1]));
	COLUMN(j, "category", n,
	       json_unsigned(
		       j,
		       frame_location(o, t, contexts_get(&t->stacks, (uint32_t)i)[1])->is_of_kernel
			       ? CATEGORY_KERNEL
			       : CATEGORY_USER));
	COLUMN(j, "subcategory", n, json_unsigned(j, 0));
	json_end(j, '}');
}

static void write_functions(struct json *j, const struct thread_tables *t)
{
	size_t n = t->functions.n;

	json_key(j, "funcTable");
	json_object(j);
	json_member_unsigned(j, "length", n);
	COLUMN(j, "name", n, json_unsigned(j, contexts_get(&t->functions, (uint32_t)i)[0]));
	COLUMN(j, "isJS", n, json_bool(j, false));
	COLUMN(j, "relevantForJS", n, json_bool(j, false));
	COLUMN(j, "resource", n,
	       json_signed(j, (int64_t)contexts_get(&t->functions, (uint32_t)i)[1] - 1));
	COLUMN(j, "fileName", n, json_null(j));
	COLUMN(j, "lineNumber", n, json_null(j));
	COLUMN(j, "columnNumber", n, json_null(j));
	json_end(j, '}');
}

/* The type of a resource that is a library. */
#define RESOURCE_LIBRARY 1

static const char *resource_name(const struct firefox *o, const struct thread_tables *t, size_t i)
{
	uint64_t image = contexts_get(&t->resources, (uint32_t)i)[0];

	return image_short_name(o->t->stacks.code.images.items[image].image);
}

static void write_resources(const struct firefox *o, struct json *j, struct thread_tables *t)
{
	size_t n = t->resources.n;

	json_key(j, "resourceTable");
	json_object(j);
	json_member_unsigned(j, "length", n);
	COLUMN(j, "lib", n, json_unsigned(j, contexts_get(&t->resources, (uint32_t)i)[0]));
	COLUMN(j, "name", n, json_unsigned(j, text_table_add(&t->texts, resource_name(o, t, i))));
	COLUMN(j, "host", n, json_null(j));
	COLUMN(j, "type", n, json_unsigned(j, RESOURCE_LIBRARY));
	json_end(j, '}');
}

static void write_no_symbols(struct json *j)
{
	json_key(j, "nativeSymbols");
	json_object(j);
	json_member_unsigned(j, "length", 0);
	write_empty(j, "address");
	write_empty(j, "functionSize");
	write_empty(j, "libIndex");
	write_empty(j, "name");
	json_end(j, '}');
}

static void write_thread_name(const struct firefox *o, struct json *j, const struct firefox_lane *l)
{
	const struct timeline_task *task;
	_cleanup_(text_done) struct text name = TEXT_EMPTY, id = TEXT_EMPTY;

	if (l->task == CODE_NONE) {
		text_addf(&name, "CPU %" PRIu32, l->cpu);
		json_member(j, "name", name.chars);
		json_member(j, "processName", "CPUs");
		json_member(j, "pid", "CPUs");
		json_member_unsigned(j, "tid", l->cpu);
		json_member_bool(j, "isMainThread", false);
		return;
	}
	task = &o->t->tasks.items[l->task];
	text_add(&name, task->comm);
	if (l->event && firefox_time_of((struct firefox *)o, l->task)->lane - 1 !=
				(uint32_t)(l - o->lanes.items))
		text_addf(&name, " (%s)", l->event->name);
	text_addf(&id, "%" PRId32, (int32_t)task->pid);
	json_member(j, "name", name.chars);
	json_member(j, "processName",
		    machine_comm(o->t->session, task->pid, task->pid, task->last));
	json_member(j, "pid", id.chars);
	json_member_signed(j, "tid", (int32_t)task->tid);
	json_member_bool(j, "isMainThread", task->pid == task->tid);
}

static void write_lifetime(const struct firefox *o, struct json *j, const struct firefox_lane *l)
{
	uint64_t first = l->task == CODE_NONE ? o->t->first : o->t->tasks.items[l->task].first;

	json_member(j, "processType", "default");
	json_key(j, "processStartupTime");
	write_ms(j, since_start(o, first));
	json_key(j, "processShutdownTime");
	json_null(j);
	json_key(j, "registerTime");
	write_ms(j, since_start(o, first));
	json_key(j, "unregisterTime");
	json_null(j);
	json_key(j, "pausedRanges");
	json_array(j);
	json_end(j, ']');
}

static void write_thread(const struct firefox *o, struct json *j, const struct firefox_lane *l)
{
	struct thread_tables t = { 0 };

	t.of_stack = xcalloc(o->t->stacks.items.n + 1, sizeof(*t.of_stack));
	contexts_init(&t.stacks, 2);
	contexts_init(&t.frames, 2);
	contexts_init(&t.functions, 2);
	contexts_init(&t.resources, 1);
	json_object(j);
	write_thread_name(o, j, l);
	write_lifetime(o, j, l);
	json_member_bool(j, "showMarkersInTimeline", l->task == CODE_NONE);
	firefox_write_samples(o, j, &t, l);
	write_markers(o, j, &t, l);
	firefox_write_stacks(o, j, &t);
	write_frames(o, j, &t);
	write_functions(j, &t);
	write_resources(o, j, &t);
	write_no_symbols(j);
	COLUMN(j, "stringArray", t.texts.n, json_string(j, t.texts.items[i]));
	json_end(j, '}');
	text_table_done(&t.texts);
	contexts_done(&t.stacks);
	contexts_done(&t.frames);
	contexts_done(&t.functions);
	contexts_done(&t.resources);
	free(t.of_stack);
}

static void write_library(struct json *j, const struct code_image *im)
{
	char id[BUILD_ID_TEXT_MAX];
	const char *name = image_short_name(im->image), *path = code_image_name(im);

	build_id_format(image_build_id(im->image), id);
	json_object(j);
	json_member(j, "name", name);
	json_member(j, "path", path);
	json_member(j, "debugName", name);
	json_member(j, "debugPath", path);
	json_member(j, "breakpadId", "");
	json_key(j, "codeId");
	if (*id)
		json_string(j, id);
	else
		json_null(j);
	json_key(j, "arch");
	json_null(j);
	json_end(j, '}');
}

static void write_category(struct json *j, size_t i)
{
	json_object(j);
	json_member(j, "name", categories[i].name);
	json_member(j, "color", categories[i].color);
	json_key(j, "subcategories");
	json_array(j);
	json_string(j, "Other");
	json_end(j, ']');
	json_end(j, '}');
}

static void write_marker_schema(struct json *j)
{
	static const char *const places[] = { "marker-chart", "marker-table", "timeline-overview" };

	json_key(j, "markerSchema");
	json_array(j);
	json_object(j);
	json_member(j, "name", "perf");
	json_member(j, "tableLabel", "{marker.data.text}");
	json_member(j, "chartLabel", "{marker.name}");
	json_member(j, "tooltipLabel", "{marker.name}");
	COLUMN(j, "display", ARRAY_SIZE(places), json_string(j, places[i]));
	json_key(j, "data");
	json_array(j);
	json_object(j);
	json_member(j, "key", "text");
	json_member(j, "label", "Text");
	json_member(j, "format", "string");
	json_end(j, '}');
	json_end(j, ']');
	json_end(j, '}');
	json_end(j, ']');
}

static void write_units(struct json *j)
{
	json_key(j, "sampleUnits");
	json_object(j);
	json_member(j, "time", "ms");
	json_member(j, "eventDelay", "ms");
	json_member(j, "threadCPUDelta", "ns");
	json_end(j, '}');
}

/* Returns when the recording began, in milliseconds since 1970; 0: not known. */
static uint64_t start_ns(const struct firefox *o)
{
	const struct features *f = session_features(o->t->session);

	if (!features_have(f, FEATURE_CLOCK_DATA))
		return 0;
	return f->clock_data.wall_clock_ns - f->clock_data.clockid_ns + o->t->first;
}

static void write_meta(const struct firefox *o, struct json *j)
{
	const struct features *f = session_features(o->t->session);

	json_key(j, "meta");
	json_object(j);
	json_member_unsigned(j, "version", GECKO_VERSION);
	json_member_unsigned(j, "preprocessedProfileVersion", FORMAT_VERSION);
	json_member(j, "product", "perf");
	json_key(j, "startTime");
	write_ms(j, start_ns(o));
	json_key(j, "interval");
	json_unsigned(j, 1);
	json_member_unsigned(j, "processType", 0);
	json_member_unsigned(j, "stackwalk", 1);
	json_member_bool(j, "debug", false);
	json_member_bool(j, "symbolicated", true);
	json_member_bool(j, "usesOnlyOneStackType", true);
	json_member_bool(j, "doesNotUseFrameImplementation", true);
	json_member_bool(j, "sourceCodeIsNotOnSearchfox", true);
	json_member(j, "platform", f->os_release);
	json_member(j, "oscpu", f->arch);
	COLUMN(j, "categories", N_CATEGORIES, write_category(j, i));
	write_units(j);
	write_marker_schema(j);
	json_key(j, "extensions");
	json_object(j);
	json_member_unsigned(j, "length", 0);
	write_empty(j, "baseURL");
	write_empty(j, "id");
	write_empty(j, "name");
	json_end(j, '}');
	json_end(j, '}');
}

static int firefox_end(void *arg, struct diag *diag)
{
	struct firefox *o = arg;
	struct json j;

	(void)diag;
	for (uint32_t i = 0; i < o->cpus.n; i++)
		end_cpu(o, i, o->t->last);
	json_init(&j, o->out);
	j.on_line = j.is_tight = true;
	j.colon = ":";
	json_object(&j);
	write_meta(o, &j);
	COLUMN(&j, "libs", o->t->stacks.code.images.n,
	       write_library(&j, &o->t->stacks.code.images.items[i]));
	COLUMN(&j, "threads", o->lanes.n, write_thread(o, &j, &o->lanes.items[i]));
	write_empty(&j, "pages");
	json_end(&j, '}');
	json_done(&j);
	return 0;
}

static const struct timeline_writer writer = {
	.wants_text = true,
	.begin = firefox_begin,
	.sample = tools_firefox_add_sample,
	.switched = firefox_add_switch,
	.end = firefox_end,
	.free = firefox_release,
};

const struct export_format export_firefox = {
	.word = "firefox",
	.title = "Firefox Profiler data",
	.by_function = true,
	.timeline = &writer,
};
