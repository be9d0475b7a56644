/* SPDX-License-Identifier: MIT */
/*
 * The Firefox Profiler's processed format in JSON, which samply writes, too.
 *
 * A thread has columns: a sample has a stack, a stack its caller and a frame, a frame its function,
 * a function a name and a resource, and a resource a library. Each thread has its own tables, or,
 * in later versions, there is a `shared` set for all. Members come in any order, so the file is
 * scanned once before anything is read.
 *
 * Samples of a thread are added up by their stacks, because a recording has the whole stack of
 * each.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/json-reader.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/build-id.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

#define MS_NS      1e6
#define WEIGHT_MAX 9.0e18

/* A column of numbers: null is NAN. */
struct firefox_numbers {
	double *items;
	size_t n, room;
};

/* A stack of the profile, and the weights of the current thread's samples with it. */
struct known_stack {
	uint32_t number;
	uint64_t samples, period;
};

/* The tables to which the samples of a thread refer. */
struct tables {
	struct {
		const char **items;
		size_t n, room;
	} strings;
	struct firefox_numbers prefix, frame;        /* columns of the stack table */
	struct firefox_numbers func, address, depth; /* columns of the frame table */
	struct firefox_numbers name, resource;       /* columns of the function table */
	struct firefox_numbers lib;                  /* column of the resource table */
	struct {
		struct known_stack *items; /* made of the columns */
		size_t n, room;
	} stacks;
};

struct firefox_thread {
	struct tables tables;
	struct firefox_numbers stack, weight; /* columns of the sample table */
	struct text process, name;
	uint32_t pid, tid;
	bool is_time; /* weights are milliseconds */
};

struct firefox_reading {
	struct stack_profile *profile;
	struct json_reader json;
	struct text key, text;
	struct tables shared;
	struct {
		uint32_t *items; /* numbers of images */
		size_t n, room;
	} libs;
	uint32_t events[2]; /* events for samples and milliseconds, + 1 */
	bool of_perf;       /* weights are periods */
	bool has_threads;
};

static void tables_done(struct tables *t)
{
	struct firefox_numbers *columns[] = { &t->prefix, &t->frame, &t->func,     &t->address,
					      &t->depth,  &t->name,  &t->resource, &t->lib };

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		free(columns[i]->items);
	free(t->strings.items);
	free(t->stacks.items);
}

static void thread_done(struct firefox_thread *t)
{
	tables_done(&t->tables);
	free(t->stack.items);
	free(t->weight.items);
	text_done(&t->process);
	text_done(&t->name);
}

/* Reads a number, or a text that begins with one, as pids do: "1234.1"; anything else is NAN. */
static double firefox_read_number(struct firefox_reading *r)
{
	double v = NAN;

	switch (json_reader_peek(&r->json)) {
	case JSON_READER_NUMBER:
		json_reader_number(&r->json, &v);
		break;
	case JSON_READER_STRING:
		json_reader_string(&r->json, &r->text);
		v = r->json.mistake ? NAN : strtod(r->text.chars, NULL);
		break;
	default:
		json_reader_skip(&r->json);
	}
	return v;
}

static void read_column(struct firefox_reading *r, struct firefox_numbers *column)
{
	column->n = 0;
	if (json_reader_peek(&r->json) != JSON_READER_ARRAY) {
		json_reader_skip(&r->json);
		return;
	}
	json_reader_enter(&r->json, '[');
	while (json_reader_item(&r->json))
		*ARRAY_ADD(column) = firefox_read_number(r);
}

static void read_strings(struct firefox_reading *r, struct tables *t)
{
	t->strings.n = 0;
	if (!json_reader_enter(&r->json, '['))
		return;
	while (json_reader_item(&r->json)) {
		json_reader_string(&r->json, &r->text);
		if (!r->json.mistake)
			*ARRAY_ADD(&t->strings) = intern_text(&r->profile->texts, r->text.chars);
	}
}

struct column_name {
	const char *name;
	struct firefox_numbers *column;
};

static void firefox_read_columns(struct firefox_reading *r, const struct column_name *columns,
				 size_t n)
{
	if (!json_reader_enter(&r->json, '{'))
		return;
	while (json_reader_member(&r->json, &r->key)) {
		size_t i = 0;

		while (i < n && strcmp(r->key.chars, columns[i].name) != 0)
			i++;
		if (i < n)
			read_column(r, columns[i].column);
		else
			json_reader_skip(&r->json);
	}
}

/* Reads a text; anything else gives an empty one. */
static void firefox_read_text(struct firefox_reading *r, struct text *ret)
{
	text_clear(ret);
	if (json_reader_peek(&r->json) == JSON_READER_STRING)
		json_reader_string(&r->json, ret);
	else
		json_reader_skip(&r->json);
}

/* True if r->key is one of the tables, which has then been read. */
static bool firefox_read_table(struct firefox_reading *r, struct tables *t)
{
	const struct column_name stacks[] = { { "prefix", &t->prefix }, { "frame", &t->frame } };
	const struct column_name frames[] = { { "func", &t->func },
					      { "address", &t->address },
					      { "inlineDepth", &t->depth } };
	const struct column_name functions[] = { { "name", &t->name },
						 { "resource", &t->resource } };
	const struct column_name resources[] = { { "lib", &t->lib } };

	if (!strcmp(r->key.chars, "stackTable"))
		firefox_read_columns(r, stacks, ARRAY_SIZE(stacks));
	else if (!strcmp(r->key.chars, "frameTable"))
		firefox_read_columns(r, frames, ARRAY_SIZE(frames));
	else if (!strcmp(r->key.chars, "funcTable"))
		firefox_read_columns(r, functions, ARRAY_SIZE(functions));
	else if (!strcmp(r->key.chars, "resourceTable"))
		firefox_read_columns(r, resources, ARRAY_SIZE(resources));
	else if (!strcmp(r->key.chars, "stringArray"))
		read_strings(r, t);
	else
		return false;
	return true;
}

/* Returns the index at @i of @column, if it is one of @n; else @n. */
static size_t index_at(const struct firefox_numbers *column, size_t i, size_t n)
{
	double v = i < column->n ? column->items[i] : NAN;

	return v >= 0 && v < (double)n ? (size_t)v : n;
}

static const char *firefox_string_at(const struct firefox_reading *r, const struct tables *t,
				     size_t function)
{
	const struct tables *strings = t->strings.n ? t : &r->shared;
	size_t i = index_at(&t->name, function, strings->strings.n);

	return i < strings->strings.n ? strings->strings.items[i] : NULL;
}

static uint32_t firefox_image_at(struct firefox_reading *r, const struct tables *t, size_t function)
{
	size_t resource = index_at(&t->resource, function, t->lib.n);
	size_t lib = index_at(&t->lib, resource, r->libs.n);

	return lib < r->libs.n ? r->libs.items[lib]
			       : stack_profile_image(r->profile, STACK_PROFILE_NOWHERE, NULL);
}

/* True if the name is an address, as that of functions without symbols is. */
static bool is_address(const char *name)
{
	return !strncmp(name, "0x", 2) && name[2] &&
	       !name[2 + strspn(name + 2, "0123456789abcdefABCDEF")];
}

static uint32_t firefox_frame_at(struct firefox_reading *r, const struct tables *t, size_t frame)
{
	size_t function = index_at(&t->func, frame, t->name.n);
	const char *name = firefox_string_at(r, t, function);
	uint32_t image = firefox_image_at(r, t, function);
	double address = frame < t->address.n ? t->address.items[frame] : NAN;
	bool is_inlined = frame < t->depth.n && t->depth.items[frame] > 0;

	if ((!name || is_address(name)) && address >= 0 && address < (double)INT64_MAX)
		return stack_profile_address(r->profile, image, (uint64_t)address);
	return stack_profile_function(r->profile, image, name && *name ? name : "[unknown]",
				      is_inlined);
}

/*
 * Makes the stacks. Callers come before the stacks that they call. The first is that of samples
 * without a stack.
 */
static void firefox_make_stacks(struct firefox_reading *r, struct tables *t)
{
	*ARRAY_ADD(&t->stacks) = (struct known_stack){ .number = STACK_PROFILE_ROOT };
	for (size_t i = 0; i < t->frame.n; i++) {
		size_t frame = index_at(&t->frame, i, t->func.n);
		bool has_caller = i < t->prefix.n && !isnan(t->prefix.items[i]);
		size_t caller = has_caller ? index_at(&t->prefix, i, i) : 0;
		struct known_stack known = t->stacks.items[has_caller ? caller + 1 : 0];

		if (frame == t->func.n || (has_caller && caller == i)) {
			json_reader_refuse(&r->json,
					   "a stack has a frame or a caller that is not there");
			return;
		}
		known.number = stack_profile_stack(r->profile, known.number,
						   firefox_frame_at(r, t, frame));
		*ARRAY_ADD(&t->stacks) = known;
	}
}

static uint32_t firefox_event_of(struct firefox_reading *r, bool is_time)
{
	uint32_t *event = &r->events[is_time];

	if (!*event)
		*event = 1 + stack_profile_event(r->profile, is_time ? "cpu-clock" : "samples",
						 is_time);
	return *event - 1;
}

/* Adds a weight. Weights below 0, which occur in comparisons, and impossible ones are left out. */
static void firefox_add_weight(const struct firefox_reading *r, const struct firefox_thread *t,
			       struct known_stack *stack, double weight)
{
	if (t->is_time)
		weight *= MS_NS;
	if (!(weight > 0 && weight < WEIGHT_MAX))
		return;
	stack->period += (uint64_t)(weight + 0.5);
	stack->samples += t->is_time || r->of_perf ? 1 : (uint64_t)(weight + 0.5);
}

/* Adds the sum for @stack as one sample of the recording, once. */
static void firefox_add_sample(struct firefox_reading *r, struct profile_weight w,
			       struct known_stack *stack)
{
	if (!stack->samples)
		return;
	w.stack = stack->number;
	w.samples = stack->samples;
	w.period = stack->period;
	stack_profile_add(r->profile, w);
	stack->samples = stack->period = 0;
}

/* Returns the stack of sample @i; NULL: there is none. */
static struct known_stack *stack_of_sample(struct tables *tables, const struct firefox_thread *t,
					   size_t i)
{
	size_t stack = index_at(&t->stack, i, tables->frame.n);

	if (isnan(t->stack.items[i]))
		return &tables->stacks.items[0];
	return stack < tables->frame.n ? &tables->stacks.items[stack + 1] : NULL;
}

static void firefox_add_samples(struct firefox_reading *r, struct firefox_thread *t)
{
	struct tables *tables = t->tables.frame.n ? &t->tables : &r->shared;
	struct profile_weight w = { .cpu = UINT32_MAX };

	if (!t->stack.n)
		return;
	for (size_t i = 0; i < t->stack.n; i++) {
		struct known_stack *stack = stack_of_sample(tables, t, i);

		if (!stack) {
			json_reader_refuse(&r->json, "a sample has a stack that is not there");
			return;
		}
		firefox_add_weight(r, t, stack, i < t->weight.n ? t->weight.items[i] : 1);
	}
	w.event = firefox_event_of(r, t->is_time);
	w.task = stack_profile_task(r->profile, t->pid, t->tid,
				    t->name.length ? t->name.chars : t->process.chars);
	for (size_t i = 0; i < t->stack.n && !r->json.mistake; i++)
		firefox_add_sample(r, w, stack_of_sample(tables, t, i));
}

static void firefox_read_samples(struct firefox_reading *r, struct firefox_thread *t)
{
	const struct column_name columns[] = { { "stack", &t->stack }, { "weight", &t->weight } };

	if (!json_reader_enter(&r->json, '{'))
		return;
	while (json_reader_member(&r->json, &r->key)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(columns) && strcmp(r->key.chars, columns[i].name) != 0)
			i++;
		if (i < ARRAY_SIZE(columns)) {
			read_column(r, columns[i].column);
		} else if (!strcmp(r->key.chars, "weightType")) {
			firefox_read_text(r, &r->text);
			t->is_time = !strcmp(r->text.chars, "tracing-ms");
		} else if (!strcmp(r->key.chars, "schema")) {
			json_reader_refuse(&r->json, "it is as Firefox records it: load it at "
						     "profiler.firefox.com and save it from there");
		} else {
			json_reader_skip(&r->json);
		}
	}
}

static uint32_t firefox_id_of(double v)
{
	return v >= 0 && v <= INT32_MAX ? (uint32_t)v : UINT32_MAX;
}

static void read_thread(struct firefox_reading *r)
{
	_cleanup_(thread_done) struct firefox_thread t = { .process = TEXT_EMPTY,
							   .name = TEXT_EMPTY };

	if (!json_reader_enter(&r->json, '{'))
		return;
	while (json_reader_member(&r->json, &r->key)) {
		if (!strcmp(r->key.chars, "samples"))
			firefox_read_samples(r, &t);
		else if (!strcmp(r->key.chars, "pid"))
			t.pid = firefox_id_of(firefox_read_number(r));
		else if (!strcmp(r->key.chars, "tid"))
			t.tid = firefox_id_of(firefox_read_number(r));
		else if (!strcmp(r->key.chars, "name"))
			firefox_read_text(r, &t.name);
		else if (!strcmp(r->key.chars, "processName"))
			firefox_read_text(r, &t.process);
		else if (!firefox_read_table(r, &t.tables))
			json_reader_skip(&r->json);
	}
	firefox_make_stacks(r, &t.tables);
	if (!r->json.mistake)
		firefox_add_samples(r, &t);
}

static void read_lib(struct firefox_reading *r)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY, path = TEXT_EMPTY, code = TEXT_EMPTY;
	struct build_id id;
	bool has_id;

	if (!json_reader_enter(&r->json, '{'))
		return;
	while (json_reader_member(&r->json, &r->key)) {
		if (!strcmp(r->key.chars, "name"))
			firefox_read_text(r, &name);
		else if (!strcmp(r->key.chars, "path"))
			firefox_read_text(r, &path);
		else if (!strcmp(r->key.chars, "codeId"))
			firefox_read_text(r, &code);
		else
			json_reader_skip(&r->json);
	}
	has_id = code.length && build_id_parse(code.chars, &id) >= 0;
	if (!path.length)
		text_add(&path, name.length ? name.chars : STACK_PROFILE_NOWHERE);
	*ARRAY_ADD(&r->libs) = stack_profile_image(r->profile, path.chars, has_id ? &id : NULL);
}

static void firefox_read_list(struct firefox_reading *r, void (*item)(struct firefox_reading *r))
{
	if (!json_reader_enter(&r->json, '['))
		return;
	while (json_reader_item(&r->json))
		item(r);
}

static void read_meta(struct firefox_reading *r)
{
	if (!json_reader_enter(&r->json, '{'))
		return;
	while (json_reader_member(&r->json, &r->key)) {
		if (strcmp(r->key.chars, "product") != 0) {
			json_reader_skip(&r->json);
			continue;
		}
		firefox_read_text(r, &r->text);
		r->of_perf = !strcmp(r->text.chars, "perf");
	}
}

static void read_shared(struct firefox_reading *r)
{
	if (!json_reader_enter(&r->json, '{'))
		return;
	while (json_reader_member(&r->json, &r->key))
		if (!firefox_read_table(r, &r->shared))
			json_reader_skip(&r->json);
}

static void read_libs(struct firefox_reading *r)
{
	firefox_read_list(r, read_lib);
}

static void read_threads(struct firefox_reading *r)
{
	r->has_threads = true;
	firefox_make_stacks(r, &r->shared);
	firefox_read_list(r, read_thread);
}

/* The parts of a profile, in the order in which they refer to each other. */
static const struct {
	const char *name;
	void (*read)(struct firefox_reading *r);
} parts[] = {
	{ "meta", read_meta },
	{ "libs", read_libs },
	{ "shared", read_shared },
	{ "threads", read_threads },
};

/* Finds the parts: @ret[i] reads part @i, or has no text. */
static int firefox_find_parts(struct firefox_reading *r, struct json_reader *ret, struct diag *diag)
{
	if (json_reader_enter(&r->json, '{')) {
		while (json_reader_member(&r->json, &r->key)) {
			for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
				if (!strcmp(r->key.chars, parts[i].name))
					ret[i] = r->json;
			json_reader_skip(&r->json);
		}
	}
	return json_reader_finish(&r->json, "the profile", diag);
}

static int read_parts(struct firefox_reading *r, struct diag *diag)
{
	struct json_reader at[ARRAY_SIZE(parts)] = { 0 };
	int error = firefox_find_parts(r, at, diag);

	for (size_t i = 0; i < ARRAY_SIZE(parts) && error >= 0; i++) {
		if (!at[i].begin)
			continue;
		r->json = at[i];
		parts[i].read(r);
		if (r->json.mistake)
			error = json_reader_finish(&r->json, "the profile", diag);
	}
	if (error >= 0 && !r->has_threads)
		error = diag_set(diag, -EBADMSG, "it has no list of threads");
	return error;
}

static int read_firefox(const char *bytes, size_t n, struct stack_profile *p, struct diag *diag)
{
	struct firefox_reading r = { .profile = p, .key = TEXT_EMPTY, .text = TEXT_EMPTY };
	int error;

	json_reader_init(&r.json, bytes, n);
	error = read_parts(&r, diag);
	tables_done(&r.shared);
	free(r.libs.items);
	text_done(&r.key);
	text_done(&r.text);
	return error;
}

/* True for the beginning of the format. Other JSON begins the same way; it then has no threads. */
static bool firefox_is_it(const char *begin, size_t n)
{
	size_t i = 0;

	while (i < n && strchr(" \t\r\n", begin[i]) && begin[i])
		i++;
	return i < n && begin[i] == '{' && memmem(begin, n, "\"meta\"", 6);
}

const struct foreign_format format_firefox = {
	.name = "Firefox Profiler",
	.is_it = firefox_is_it,
	.read = read_firefox,
};
