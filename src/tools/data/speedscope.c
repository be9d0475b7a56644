/* SPDX-License-Identifier: MIT */
/*
 * speedscope's own JSON: a list of frames, and a list of sampled profiles, one for each thread and
 * event, whose samples are lists of frames, outermost first, in order of time.
 */
#include "tools/data/speedscope.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/weighed.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/data/timeline.h"
#include "view/json.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/* A run of samples of the same stack. */
struct weighed_run {
	uint32_t stack;
	uint64_t weight;
};

/* The samples of a thread and event. */
struct lane {
	const struct session_event *event;
	uint32_t task;
	uint64_t total;
	struct {
		struct weighed_run *items;
		size_t n, room;
	} runs;
};

struct speedscope {
	const struct timeline *t;
	FILE *out;
	struct contexts lane_keys; /* task and event: the lane's number */
	struct {
		struct lane *items;
		size_t n, room;
	} lanes;
	/* Frames are functions, and locations without a function. */
	struct contexts frame_keys;
	uint32_t *of_location, *of_line; /* by location and by line: the frame, + 1 */
	struct {
		uint32_t *items;
		size_t n, room;
	} path;
};

static void *speedscope_begin(const struct timeline *t, const struct export_source *src)
{
	struct speedscope *o = xcalloc(1, sizeof(*o));

	o->t = t;
	o->out = src->out;
	contexts_init(&o->lane_keys, 2);
	contexts_init(&o->frame_keys, 2);
	return o;
}

static void speedscope_release(void *arg)
{
	struct speedscope *o = arg;

	for (size_t i = 0; i < o->lanes.n; i++)
		free(o->lanes.items[i].runs.items);
	free(o->lanes.items);
	free(o->path.items);
	free(o->of_location);
	free(o->of_line);
	contexts_done(&o->lane_keys);
	contexts_done(&o->frame_keys);
	free(o);
}

static void speedscope_add_sample(void *arg, const struct timeline_sample *s)
{
	struct speedscope *o = arg;
	const uint64_t key[] = { s->task, s->event->index };
	uint32_t i = contexts_add(&o->lane_keys, key);
	struct lane *l;

	if (i == o->lanes.n)
		*ARRAY_ADD(&o->lanes) = (struct lane){ .event = s->event, .task = s->task };
	l = &o->lanes.items[i];
	l->total += s->period;
	if (l->runs.n && l->runs.items[l->runs.n - 1].stack == s->stack)
		l->runs.items[l->runs.n - 1].weight += s->period;
	else
		*ARRAY_ADD(&l->runs) = (struct weighed_run){ s->stack, s->period };
}

/* Returns the number of frame @i of @location: its key is 0 and a function, or 1 and a location. */
static uint32_t speedscope_frame_of(struct speedscope *o, uint32_t location, uint32_t i)
{
	const struct code_table *c = &o->t->stacks.code;
	const struct code_location *l = &c->locations.items[location];
	uint32_t *frame = l->n_lines ? &o->of_line[l->first_line + i] : &o->of_location[location];
	uint64_t key[] = { 1, location };

	if (*frame)
		return *frame - 1;
	if (l->n_lines) {
		key[0] = 0;
		key[1] = c->lines.items[l->first_line + i].function;
	}
	*frame = contexts_add(&o->frame_keys, key) + 1;
	return *frame - 1;
}

static void speedscope_write_frame(struct speedscope *o, struct json *j, const uint64_t *key)
{
	const struct code_table *c = &o->t->stacks.code;
	char room[TIMELINE_NAME_MAX];
	uint32_t image;

	json_object(j);
	if (key[0]) {
		const struct code_location *l = &c->locations.items[key[1]];

		json_member(j, "name", timeline_line_name(o->t, l, 0, room));
		image = l->image;
	} else {
		json_member(j, "name", c->functions.items[key[1]].name);
		image = c->functions.items[key[1]].image;
	}
	if (image != CODE_NONE)
		json_member(j, "file", code_image_name(&c->images.items[image]));
	json_end(j, '}');
}

static void write_stack(struct speedscope *o, struct json *j, uint32_t stack)
{
	const struct code_table *c = &o->t->stacks.code;

	o->path.n = 0;
	for (; stack != CODE_NONE; stack = stack_caller(&o->t->stacks, stack)) {
		uint32_t location = stack_location(&o->t->stacks, stack);
		uint32_t n = code_location_frames(&c->locations.items[location]);

		for (uint32_t i = 0; i < n; i++) {
			uint32_t frame = speedscope_frame_of(o, location, i);

			*ARRAY_ADD(&o->path) = frame;
		}
	}
	json_array(j);
	while (o->path.n)
		json_unsigned(j, o->path.items[--o->path.n]);
	json_end(j, ']');
}

static void write_lane(struct speedscope *o, struct json *j, const struct lane *l)
{
	const struct timeline_task *task = &o->t->tasks.items[l->task];
	_cleanup_(freep) char *name = xasprintf("%s %" PRId32 "/%" PRId32 ": %s", task->comm,
						(int32_t)task->pid, (int32_t)task->tid,
						l->event->name);

	json_object(j);
	json_member(j, "type", "sampled");
	json_member(j, "name", name);
	json_member(j, "unit", attr_is_clock(&l->event->attr) ? "nanoseconds" : "none");
	json_member_unsigned(j, "startValue", 0);
	json_member_unsigned(j, "endValue", l->total);
	json_key(j, "samples");
	json_array(j);
	for (size_t i = 0; i < l->runs.n; i++)
		write_stack(o, j, l->runs.items[i].stack);
	json_end(j, ']');
	json_key(j, "weights");
	json_array(j);
	for (size_t i = 0; i < l->runs.n; i++)
		json_unsigned(j, l->runs.items[i].weight);
	json_end(j, ']');
	json_end(j, '}');
}

static int speedscope_end(void *arg, struct diag *diag)
{
	struct speedscope *o = arg;
	struct json j;

	(void)diag;
	o->of_location = xcalloc(o->t->stacks.code.locations.n + 1, sizeof(*o->of_location));
	o->of_line = xcalloc(o->t->stacks.code.lines.n + 1, sizeof(*o->of_line));
	json_init(&j, o->out);
	j.on_line = j.is_tight = true;
	j.colon = ":";
	json_object(&j);
	json_member(&j, "$schema", SCHEMA);
	json_member(&j, "exporter", "perf data convert");
	json_member(&j, "name", session_path(o->t->session));
	json_member_unsigned(&j, "activeProfileIndex", 0);
	json_key(&j, "profiles");
	json_array(&j);
	for (size_t i = 0; i < o->lanes.n; i++)
		write_lane(o, &j, &o->lanes.items[i]);
	json_end(&j, ']');
	json_key(&j, "shared");
	json_object(&j);
	json_key(&j, "frames");
	json_array(&j);
	for (uint32_t i = 0; i < o->frame_keys.n; i++)
		speedscope_write_frame(o, &j, contexts_get(&o->frame_keys, i));
	json_end(&j, ']');
	json_end(&j, '}');
	json_end(&j, '}');
	json_done(&j);
	return 0;
}

static const struct timeline_writer writer = {
	.begin = speedscope_begin,
	.sample = speedscope_add_sample,
	.end = speedscope_end,
	.free = speedscope_release,
};

const struct export_format export_speedscope = {
	.word = "speedscope",
	.title = "speedscope data",
	.by_function = true,
	.timeline = &writer,
};
