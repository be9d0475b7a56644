/* SPDX-License-Identifier: MIT */
#include "transform/jit-images.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/memory.h"
#include "dwarf/function-image.h"
#include "symbol/jit-code.h"
#include "transform/jit-dump-images.h"
#include "transform/transform.h"

/* The functions of one dump that wait for their time. */
struct waiting_dump {
	struct jit_dump_images images;
	size_t at; /* the next */
	const struct session_event *event;
	struct record map; /* that of the dump, to be filled in anew for each */
};

struct jit_images {
	struct transform transform;
	bool any_owner;
	struct diag *diag;
	struct waiting_dump **items;
	size_t n, room;
	uint64_t made;
};

static struct jit_images *images_of(struct transform *t)
{
	return (struct jit_images *)((char *)t - offsetof(struct jit_images, transform));
}

static int pass_map(struct jit_images *j, struct waiting_dump *w)
{
	const struct jit_mapped *m = &w->images.items[w->at++];
	struct record r = w->map;
	int error;

	r.id.time = m->time ? m->time : r.id.time;
	r.mmap.addr = m->addr;
	r.mmap.len = m->size;
	r.mmap.pgoff = FUNCTION_IMAGE_TEXT;
	r.mmap.filename = m->path;
	r.mmap.maj = m->maj;
	r.mmap.min = m->min;
	r.mmap.ino = m->ino;
	error = transform_pass_record(&j->transform, &r, w->event);
	/* A path that is too long for a record is one function without a name. */
	return error == -EMSGSIZE ? 0 : error;
}

/* The dump whose next function is the earliest of all that are due at @time, or NULL. */
static struct waiting_dump *find_due(const struct jit_images *j, uint64_t time)
{
	struct waiting_dump *first = NULL;

	for (size_t i = 0; i < j->n; i++) {
		struct waiting_dump *w = j->items[i];
		uint64_t at = w->at < w->images.n ? w->images.items[w->at].time : UINT64_MAX;

		if (w->at < w->images.n && at <= time &&
		    (!first || at < first->images.items[first->at].time))
			first = w;
	}
	return first;
}

static int pass_due(struct jit_images *j, uint64_t time)
{
	struct waiting_dump *w;
	int r = 0;

	while (r >= 0 && (w = find_due(j, time)))
		r = pass_map(j, w);
	return r;
}

/* A process may map its dump twice. */
static const struct waiting_dump *jit_images_find_dump(const struct jit_images *j, const char *path)
{
	for (size_t i = 0; i < j->n; i++)
		if (!strcmp(j->items[i]->map.mmap.filename, path))
			return j->items[i];
	return NULL;
}

static int jit_images_take_dump(struct jit_images *j, const struct delivered *d,
				const struct record *map)
{
	const struct attr *attr = d->event ? &d->event->attr : NULL;
	const struct jit_dump_request request = {
		.path = map->mmap.filename,
		.pid = (int32_t)map->mmap.pid,
		.any_owner = j->any_owner,
		.is_monotonic = attr && attr->use_clockid && attr->clockid == CLOCK_MONOTONIC,
	};
	struct waiting_dump *w = xcalloc(1, sizeof(*w));

	*ARRAY_ADD(j) = w;
	w->event = d->event;
	w->map = *map;
	w->map.header = (struct record_header){ .type = PERF_RECORD_MMAP2,
						.misc = PERF_RECORD_MISC_USER };
	w->map.mmap = (struct record_mmap){ .pid = map->mmap.pid,
					    .tid = map->mmap.pid,
					    .filename = xstrdup(map->mmap.filename),
					    .ino_generation = 1,
					    .prot = PROT_READ | PROT_EXEC,
					    .flags = MAP_PRIVATE };

	int r = jit_dump_images_write(&request, &w->images, j->diag);

	j->made += w->images.made;
	return r;
}

static int jit_images_take(struct transform *t, const struct delivered *d)
{
	struct jit_images *j = images_of(t);
	uint32_t type = d->raw.header.type;
	const struct waiting_dump *w;
	struct record rec;
	int r = d->time ? pass_due(j, d->time) : 0;

	if (r < 0)
		return r;
	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) ||
	    record_decode(d->raw.bytes, d->raw.header.size, false,
			  d->event ? &d->event->attr : NULL, &rec) < 0 ||
	    !jit_code_is_dump(rec.mmap.filename))
		return transform_pass(t, d);
	if (!jit_images_find_dump(j, rec.mmap.filename))
		r = jit_images_take_dump(j, d, &rec);
	if (r < 0)
		return r;
	/* A dump that could not be read keeps its map, for later readers. */
	w = jit_images_find_dump(j, rec.mmap.filename);
	return w->images.n ? pass_due(j, d->time) : transform_pass(t, d);
}

static int jit_images_end(struct transform *t)
{
	return pass_due(images_of(t), UINT64_MAX - 1);
}

static const struct transform_kind kind = { .take = jit_images_take, .end = jit_images_end };

struct jit_images *jit_images_new(bool any_owner, struct diag *diag)
{
	struct jit_images *j = xcalloc(1, sizeof(*j));

	j->transform.kind = &kind;
	j->any_owner = any_owner;
	j->diag = diag;
	return j;
}

void jit_images_free(struct jit_images *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->n; i++) {
		jit_dump_images_done(&j->items[i]->images);
		free((char *)j->items[i]->map.mmap.filename);
		free(j->items[i]);
	}
	free(j->items);
	free(j);
}

struct transform *jit_images_transform(struct jit_images *j)
{
	return &j->transform;
}

uint64_t jit_images_made(const struct jit_images *j)
{
	return j->made;
}

size_t jit_images_dumps(const struct jit_images *j)
{
	return j->n;
}

const char *jit_images_remark(const struct jit_images *j, size_t i)
{
	return j->items[i]->images.remark;
}
