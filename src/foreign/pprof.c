/* SPDX-License-Identifier: MIT */
/*
 * Profiles of Go's pprof, which many other tools write: a protobuf message, mostly in gzip.
 *
 * Texts, functions, mappings and locations may come after the samples that refer to them, so they
 * are gathered first. A location without functions is an address of its mapping.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/pprof-fields.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "foreign/format.h"
#include "foreign/proto-reader.h"
#include "foreign/stack-profile.h"

/* Deeper stacks lose their outer frames. */
#define DEPTH_MAX 4096

struct pprof_mapping {
	uint64_t start, offset, file, build_id;
	uint32_t image; /* number of the image in the profile */
};

struct pprof_location {
	const char *bytes; /* bytes of its message */
	size_t n;
	uint32_t *frames; /* the outermost first; NULL: not needed yet */
	size_t n_frames;
};

struct value_type {
	uint64_t name, unit; /* numbers of texts */
};

struct pprof_state {
	struct {
		struct proto_field *items;
		size_t n, room;
	} texts;
	struct {
		struct value_type *items;
		size_t n, room;
	} types;
	struct u64_map functions, mappings, locations; /* by id */
	struct u64_map commands;                       /* invented pids, by name */
	uint32_t n_commands;
	uint64_t default_type; /* the name of the value to show first; 0: none */
	struct arena arena;
	struct stack_profile *profile;
	const char *comm; /* command of samples that have none */
	struct text name;
	/* The meaning of each value of a sample: its event, and whether it counts its samples. */
	struct {
		uint32_t event;
		int count; /* the value with the number of samples; -1: each is one sample */
		bool is_event;
	} * values;
	struct {
		uint64_t *items;
		size_t n, room;
	} numbers, ids;
};

static void pprof_done(struct pprof_state *r)
{
	free(r->texts.items);
	free(r->types.items);
	u64_map_done(&r->functions);
	u64_map_done(&r->mappings);
	u64_map_done(&r->locations);
	u64_map_done(&r->commands);
	arena_done(&r->arena);
	text_done(&r->name);
	free(r->values);
	free(r->numbers.items);
	free(r->ids.items);
}

/* Returns text @i, which lives until the next call. */
static const char *pprof_text_at(struct pprof_state *r, uint64_t i)
{
	text_clear(&r->name);
	if (i < r->texts.n)
		text_add_bytes(&r->name, r->texts.items[i].bytes, r->texts.items[i].length);
	return r->name.chars ? r->name.chars : "";
}

/* --- what samples refer to ------------------------------------------------------------------- */

static bool pprof_take_type(struct pprof_state *r, const struct proto_field *f)
{
	struct cursor c = cursor_over(f->bytes, f->length, false);
	struct value_type *t = ARRAY_ADD(&r->types);
	struct proto_field part;

	while (proto_next(&c, &part))
		if (part.number == PPROF_TYPE_NAME)
			t->name = part.value;
		else if (part.number == PPROF_TYPE_UNIT)
			t->unit = part.value;
	return !c.bad;
}

static bool pprof_take_function(struct pprof_state *r, const struct proto_field *f)
{
	struct cursor c = cursor_over(f->bytes, f->length, false);
	uint64_t id = 0, *name = arena_alloc(&r->arena, sizeof(*name));
	struct proto_field part;

	while (proto_next(&c, &part))
		if (part.number == PPROF_FUNCTION_ID)
			id = part.value;
		else if (part.number == PPROF_FUNCTION_NAME)
			*name = part.value;
	u64_map_put(&r->functions, id, name);
	return !c.bad;
}

static bool take_mapping(struct pprof_state *r, const struct proto_field *f)
{
	struct cursor c = cursor_over(f->bytes, f->length, false);
	struct pprof_mapping *m = arena_alloc(&r->arena, sizeof(*m));
	struct proto_field part;
	uint64_t id = 0;

	while (proto_next(&c, &part))
		switch (part.number) {
		case PPROF_MAPPING_ID:
			id = part.value;
			break;
		case PPROF_MAPPING_START:
			m->start = part.value;
			break;
		case PPROF_MAPPING_OFFSET:
			m->offset = part.value;
			break;
		case PPROF_MAPPING_FILE:
			m->file = part.value;
			break;
		case PPROF_MAPPING_BUILD_ID:
			m->build_id = part.value;
			break;
		default:
			break;
		}
	m->image = UINT32_MAX;
	u64_map_put(&r->mappings, id, m);
	return !c.bad;
}

static bool take_location(struct pprof_state *r, const struct proto_field *f)
{
	struct cursor c = cursor_over(f->bytes, f->length, false);
	struct pprof_location *l = arena_alloc(&r->arena, sizeof(*l));
	struct proto_field part;
	uint64_t id = 0;

	while (proto_next(&c, &part))
		if (part.number == PPROF_LOCATION_ID)
			id = part.value;
	l->bytes = f->bytes;
	l->n = f->length;
	u64_map_put(&r->locations, id, l);
	return !c.bad;
}

static bool pprof_gather(struct pprof_state *r, const char *bytes, size_t n)
{
	struct cursor c = cursor_over(bytes, n, false);
	struct proto_field f;
	bool ok = true;

	while (ok && proto_next(&c, &f)) {
		if (f.number == PPROF_PROFILE_DEFAULT_TYPE)
			r->default_type = f.value;
		if (!f.bytes)
			continue;
		switch (f.number) {
		case PPROF_PROFILE_SAMPLE_TYPE:
			ok = pprof_take_type(r, &f);
			break;
		case PPROF_PROFILE_MAPPING:
			ok = take_mapping(r, &f);
			break;
		case PPROF_PROFILE_LOCATION:
			ok = take_location(r, &f);
			break;
		case PPROF_PROFILE_FUNCTION:
			ok = pprof_take_function(r, &f);
			break;
		case PPROF_PROFILE_STRING:
			*ARRAY_ADD(&r->texts) = f;
			break;
		default:
			break;
		}
	}
	return ok && !c.bad;
}

/* --- values ---------------------------------------------------------------------------------- */

static bool pprof_is_count(struct pprof_state *r, size_t i)
{
	return !strcmp(pprof_text_at(r, r->types.items[i].unit), "count");
}

/*
 * True if value @i is, by its name, the number of samples of the next value, which is also a count.
 */
static bool is_samples_of_next(struct pprof_state *r, size_t i)
{
	_cleanup_(freep) char *name = xstrdup(pprof_text_at(r, r->types.items[i].name));
	const char *next = pprof_text_at(r, r->types.items[i + 1].name);
	size_t n = strlen(next);

	return !strcmp(name, "samples") ||
	       (!strncmp(name, next, n) && !strcmp(name + n, "_samples"));
}

/* True if value @i is the number of samples of the next one. */
static bool counts_next(struct pprof_state *r, size_t i)
{
	return i + 1 < r->types.n && pprof_is_count(r, i) &&
	       (!pprof_is_count(r, i + 1) || is_samples_of_next(r, i));
}

static uint32_t event_of_value(struct pprof_state *r, size_t i)
{
	bool is_time = !strcmp(pprof_text_at(r, r->types.items[i].unit), "nanoseconds");

	return stack_profile_event(r->profile, pprof_text_at(r, r->types.items[i].name), is_time);
}

/*
 * Returns the value that is to be shown first: the named one, or else, according to profile.proto,
 * the last one, which is inuse_space in a heap profile of Go.
 */
static size_t find_default_value(struct pprof_state *r)
{
	_cleanup_(freep) char *name = xstrdup(pprof_text_at(r, r->default_type));

	for (size_t i = 0; *name && i < r->types.n; i++)
		if (!strcmp(pprof_text_at(r, r->types.items[i].name), name))
			return i + counts_next(r, i);
	return r->types.n - 1;
}

/*
 * Determines the events. samples/count, cpu/nanoseconds is one event, "cpu", with its samples;
 * alloc_objects/count, alloc_space/bytes, inuse_objects/count, inuse_space/bytes are two.
 * faults_samples/count, faults/count, as `perf data convert` writes them, is one. Any other count
 * is a separate event.
 */
static void plan_values(struct pprof_state *r)
{
	size_t n = r->types.n, first = find_default_value(r);
	uint32_t first_event = event_of_value(r, first);

	r->values = xcalloc(n + 1, sizeof(r->values[0]));
	for (size_t i = 0; i < n; i++) {
		bool counts = pprof_is_count(r, i);

		r->values[i].is_event = !counts_next(r, i);
		r->values[i].count = i && counts_next(r, i - 1) ? (int)i - 1 : counts ? (int)i : -1;
		if (r->values[i].is_event)
			r->values[i].event = i == first ? first_event : event_of_value(r, i);
	}
}

/* --- frames ---------------------------------------------------------------------------------- */

static struct build_id parse_build_id(const char *hex)
{
	struct build_id id = { 0 };
	unsigned byte;

	while (id.size < BUILD_ID_SIZE_MAX && isxdigit((unsigned char)hex[0]) &&
	       isxdigit((unsigned char)hex[1]) && sscanf(hex, "%2x", &byte) == 1) {
		id.bytes[id.size++] = (uint8_t)byte;
		hex += 2;
	}
	return *hex ? (struct build_id){ 0 } : id;
}

static uint32_t pprof_image_of(struct pprof_state *r, struct pprof_mapping *m)
{
	struct build_id id;

	if (!m)
		return stack_profile_image(r->profile, STACK_PROFILE_NOWHERE, NULL);
	if (m->image == UINT32_MAX) {
		id = parse_build_id(pprof_text_at(r, m->build_id));
		m->image = stack_profile_image(r->profile, pprof_text_at(r, m->file), &id);
	}
	return m->image;
}

/*
 * Returns the function of a line; UINT64_MAX: it is not known, or has no name, like that of address
 * 0 in Go.
 */
static uint64_t function_of_line(struct pprof_state *r, const struct proto_field *line)
{
	struct cursor c = cursor_over(line->bytes, line->length, false);
	const uint64_t *name = NULL;
	struct proto_field part;

	while (proto_next(&c, &part))
		if (part.number == PPROF_LINE_FUNCTION)
			name = u64_map_find(&r->functions, part.value);
	return name && *pprof_text_at(r, *name) ? *name : UINT64_MAX;
}

/* Reads the names of a location's functions, the innermost first; and its place. */
static void read_location(struct pprof_state *r, const struct pprof_location *l,
			  struct pprof_mapping **mapping, uint64_t *address)
{
	struct cursor c = cursor_over(l->bytes, l->n, false);
	struct proto_field part;

	r->ids.n = 0;
	while (proto_next(&c, &part)) {
		uint64_t name = part.number == PPROF_LOCATION_LINE && part.bytes
					? function_of_line(r, &part)
					: UINT64_MAX;

		if (part.number == PPROF_LOCATION_MAPPING)
			*mapping = u64_map_find(&r->mappings, part.value);
		else if (part.number == PPROF_LOCATION_ADDRESS)
			*address = part.value;
		else if (name != UINT64_MAX)
			*ARRAY_ADD(&r->ids) = name;
	}
}

static void make_frames(struct pprof_state *r, struct pprof_location *l)
{
	struct pprof_mapping *m = NULL;
	uint64_t address = 0;
	uint32_t image;

	read_location(r, l, &m, &address);
	image = pprof_image_of(r, m);
	l->n_frames = r->ids.n ? r->ids.n : 1;
	l->frames = arena_alloc(&r->arena, l->n_frames * sizeof(l->frames[0]));
	if (!r->ids.n)
		l->frames[0] = stack_profile_address(r->profile, image,
						     m ? address - m->start + m->offset : address);
	/* All functions except the outermost are inlined into it. */
	for (size_t i = 0; i < r->ids.n; i++)
		l->frames[i] = stack_profile_function(
			r->profile, image, pprof_text_at(r, r->ids.items[r->ids.n - 1 - i]), i > 0);
}

/* --- samples --------------------------------------------------------------------------------- */

struct pprof_sample {
	uint32_t pid, tid;
	bool has_pid, has_tid;
	uint64_t comm; /* a text; UINT64_MAX: none */
	uint64_t cpu;
};

static bool pprof_is_one_of(const char *key, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(key, *words))
			return true;
	return false;
}

static bool take_label(struct pprof_state *r, const struct proto_field *f, struct pprof_sample *s)
{
	static const char *const pids[] = { "pid", "process_id", NULL };
	static const char *const tids[] = { "tid", "thread_id", NULL };
	static const char *const comms[] = { "comm", "thread", "thread_name", "thread name", NULL };
	struct cursor c = cursor_over(f->bytes, f->length, false);
	uint64_t key = UINT64_MAX, text = UINT64_MAX, number = 0;
	struct proto_field part;

	while (proto_next(&c, &part))
		if (part.number == PPROF_LABEL_KEY)
			key = part.value;
		else if (part.number == PPROF_LABEL_TEXT)
			text = part.value;
		else if (part.number == PPROF_LABEL_NUMBER)
			number = part.value;
	if (pprof_is_one_of(pprof_text_at(r, key), comms)) {
		s->comm = text;
	} else if (pprof_is_one_of(pprof_text_at(r, key), pids)) {
		s->pid = (uint32_t)(text < r->texts.n ? strtoul(pprof_text_at(r, text), NULL, 10)
						      : number);
		s->has_pid = true;
	} else if (pprof_is_one_of(pprof_text_at(r, key), tids)) {
		s->tid = (uint32_t)(text < r->texts.n ? strtoul(pprof_text_at(r, text), NULL, 10)
						      : number);
		s->has_tid = true;
	} else if (!strcmp(pprof_text_at(r, key), "cpu")) {
		s->cpu = text < r->texts.n ? strtoul(pprof_text_at(r, text), NULL, 10) : number;
	}
	return !c.bad;
}

/* Returns a pid for a command. Commands whose process no label gives have one each. */
static uint32_t pid_of_command(struct pprof_state *r, const char *comm)
{
	uintptr_t pid = (uintptr_t)u64_map_find(&r->commands, (uintptr_t)comm);

	if (!pid) {
		pid = ++r->n_commands;
		u64_map_put(&r->commands, (uintptr_t)comm, (void *)pid);
	}
	return (uint32_t)pid;
}

static uint32_t pprof_task_of(struct pprof_state *r, const struct pprof_sample *s)
{
	const char *comm = s->comm < r->texts.n
				   ? intern_text(&r->profile->texts, pprof_text_at(r, s->comm))
				   : r->comm;
	uint32_t pid = s->has_pid ? s->pid : s->has_tid ? s->tid : pid_of_command(r, comm);

	return stack_profile_task(r->profile, pid, s->has_tid ? s->tid : pid, comm);
}

/* Returns the frames of a location; NULL: it does not exist. */
static struct pprof_location *location_of(struct pprof_state *r, uint64_t id)
{
	struct pprof_location *l = u64_map_find(&r->locations, id);

	if (l && !l->frames)
		make_frames(r, l);
	return l;
}

/* Gives the stack of the locations, which come innermost first. -1: one of them does not exist. */
static int pprof_stack_of(struct pprof_state *r, uint32_t *ret)
{
	size_t n = 0, n_frames = 0;

	*ret = STACK_PROFILE_ROOT;
	for (; n < r->numbers.n && n_frames < DEPTH_MAX; n++) {
		const struct pprof_location *l = location_of(r, r->numbers.items[n]);

		if (!l)
			return -1;
		n_frames += l->n_frames;
	}
	while (n--) {
		const struct pprof_location *l = location_of(r, r->numbers.items[n]);

		/* The outermost location may have more frames than fit. */
		for (size_t j = 0; j < l->n_frames; j++)
			if (n_frames-- <= DEPTH_MAX)
				*ret = stack_profile_stack(r->profile, *ret, l->frames[j]);
	}
	return 0;
}

static uint64_t pprof_value_at(const uint64_t *values, size_t n, int i)
{
	return i >= 0 && (size_t)i < n && (int64_t)values[i] > 0 ? values[i] : 0;
}

static void pprof_weigh(struct pprof_state *r, const struct pprof_sample *s, uint32_t stack,
			const uint64_t *values, size_t n)
{
	uint32_t task = pprof_task_of(r, s);

	for (size_t i = 0; i < r->types.n && i < n; i++) {
		struct profile_weight w = { .event = r->values[i].event,
					    .task = task,
					    .stack = stack,
					    .cpu = s->cpu < UINT32_MAX ? (uint32_t)s->cpu
								       : UINT32_MAX,
					    .samples = 1,
					    .period = pprof_value_at(values, n, (int)i) };

		if (!r->values[i].is_event || !w.period)
			continue;
		if (r->values[i].count >= 0)
			w.samples = pprof_value_at(values, n, r->values[i].count);
		stack_profile_add(r->profile, w);
	}
}

static bool gather_numbers(const struct proto_field *f, uint64_t **items, size_t *n, size_t *room)
{
	struct cursor c = proto_list(f);
	uint64_t v;

	while (proto_list_next(&c, f, &v)) {
		*items = array_reserve(*items, room, *n + 1, sizeof(**items));
		(*items)[(*n)++] = v;
	}
	return !c.bad;
}

static bool pprof_take_sample(struct pprof_state *r, const struct proto_field *f)
{
	struct cursor c = cursor_over(f->bytes, f->length, false);
	struct pprof_sample s = { .comm = UINT64_MAX, .cpu = UINT64_MAX };
	_cleanup_(freep) uint64_t *values = NULL;
	size_t n_values = 0, room = 0;
	struct proto_field part;
	uint32_t stack;
	bool ok = true;

	r->numbers.n = 0;
	while (ok && proto_next(&c, &part))
		if (part.number == PPROF_SAMPLE_LOCATIONS)
			ok = gather_numbers(&part, &r->numbers.items, &r->numbers.n,
					    &r->numbers.room);
		else if (part.number == PPROF_SAMPLE_VALUES)
			ok = gather_numbers(&part, &values, &n_values, &room);
		else if (part.number == PPROF_SAMPLE_LABEL && part.bytes)
			ok = take_label(r, &part, &s);
	if (!ok || c.bad || pprof_stack_of(r, &stack) < 0)
		return false;
	pprof_weigh(r, &s, stack, values, n_values);
	return true;
}

static bool pprof_take_samples(struct pprof_state *r, const char *bytes, size_t n)
{
	struct cursor c = cursor_over(bytes, n, false);
	struct proto_field f;

	while (!r->profile->is_full && proto_next(&c, &f))
		if (f.number == PPROF_PROFILE_SAMPLE && f.bytes && !pprof_take_sample(r, &f))
			return false;
	return !c.bad;
}

/* Returns the program's name: the first mapping, unless that is the kernel. */
static const char *pprof_comm_of(struct pprof_state *r)
{
	const struct pprof_mapping *m = u64_map_find(&r->mappings, 1);
	const char *path = m ? pprof_text_at(r, m->file) : "", *slash = strrchr(path, '/');

	path = slash ? slash + 1 : path;
	return intern_text(&r->profile->texts, *path && *path != '[' ? path : "program");
}

static int read_pprof(const char *bytes, size_t n, struct stack_profile *p, struct diag *diag)
{
	struct pprof_state r = { .profile = p, .name = TEXT_EMPTY };
	int error = 0;

	if (!pprof_gather(&r, bytes, n) || !r.types.n || !r.texts.n) {
		error = diag_set(diag, -EBADMSG, "it is not a pprof profile, or is cut short");
	} else {
		plan_values(&r);
		r.comm = pprof_comm_of(&r);
		if (!pprof_take_samples(&r, bytes, n))
			error = diag_set(diag, -EBADMSG,
					 "a sample of this pprof profile is damaged");
	}
	pprof_done(&r);
	return error;
}

/* True for a value type: two numbers, of which either may be left out. */
static bool is_type(const struct proto_field *f)
{
	struct cursor c = cursor_over(f->bytes, f->length, false);
	struct proto_field part;

	while (proto_next(&c, &part))
		if (part.bytes || part.number > PPROF_TYPE_UNIT)
			return false;
	return !c.bad;
}

static bool pprof_is_field(const struct proto_field *f)
{
	switch (f->number) {
	case PPROF_PROFILE_SAMPLE_TYPE:
	case PPROF_PROFILE_PERIOD_TYPE:
		return f->bytes && is_type(f);
	case PPROF_PROFILE_SAMPLE:
	case PPROF_PROFILE_MAPPING:
	case PPROF_PROFILE_LOCATION:
	case PPROF_PROFILE_FUNCTION:
	case PPROF_PROFILE_STRING:
		return f->bytes;
	case PPROF_PROFILE_DROP_FRAMES:
	case PPROF_PROFILE_KEEP_FRAMES:
	case PPROF_PROFILE_TIME:
	case PPROF_PROFILE_DURATION:
	case PPROF_PROFILE_PERIOD:
	case PPROF_PROFILE_DEFAULT_TYPE:
	case PPROF_PROFILE_DOC_URL:
		return !f->bytes;
	default:
		return f->number == PPROF_PROFILE_COMMENT;
	}
}

/*
 * The number of fields that are checked. Fields may come in any order: Go's runtime begins with the
 * time, its library with the types. These are enough of them to distinguish the message from other
 * bytes; one may go beyond @n.
 */
#define FIELDS_LOOKED_AT 16

static bool pprof_is_it(const char *begin, size_t n)
{
	struct cursor c = cursor_over(begin, n, false);
	struct proto_field f;
	size_t n_fields = 0, n_messages = 0;

	while (n_fields < FIELDS_LOOKED_AT && proto_next(&c, &f)) {
		if (!pprof_is_field(&f))
			return false;
		n_fields++;
		n_messages += f.bytes && f.length;
	}
	return n_messages && (n_fields > 2 || !c.bad);
}

const struct foreign_format format_pprof = {
	.name = "pprof",
	.is_it = pprof_is_it,
	.read = read_pprof,
};
