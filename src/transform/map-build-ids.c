/* SPDX-License-Identifier: MIT */
#include "transform/map-build-ids.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "session/call-chain.h"
#include "session/machine.h"
#include "transform/transform.h"

struct map_build_ids {
	struct transform transform;
	struct build_id_marks_options options;
	struct u64_map written; /* maps by process, known to readers already */
	uint64_t made, seen, passed;
};

static struct map_build_ids *maps_of(struct transform *t)
{
	return (struct map_build_ids *)((char *)t - offsetof(struct map_build_ids, transform));
}

/* Makes an MMAP2 with a build-id from @r, if that of @im is known. */
static void map_build_ids_add_build_id(struct map_build_ids *m, struct image *im, struct record *r)
{
	struct build_id id;

	if (!im || build_id_marks_find(&m->options, im, &id) < 0 || !id.size ||
	    id.size > RECORD_BUILD_ID_SIZE)
		return;
	r->header.type = PERF_RECORD_MMAP2;
	r->header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	r->mmap.build_id = id;
	m->made++;
}

static bool map_build_ids_is_kernel(const struct record *r)
{
	return r->mmap.pid == UINT32_MAX || address_mode_of(r->header.misc) == ADDRESS_KERNEL;
}

/* Returns the image that @r maps. */
static struct image *map_build_ids_image_of(const struct map_build_ids *m, const struct record *r,
					    uint64_t time)
{
	enum address_mode mode = map_build_ids_is_kernel(r) ? ADDRESS_KERNEL
							    : address_mode_of(r->header.misc);
	struct location at;

	if (!machine_locate(m->options.session, r->mmap.pid, mode, r->mmap.addr, time, &at))
		return NULL;
	return at.map->image;
}

static int take_map(struct map_build_ids *m, const struct delivered *d)
{
	struct record r;

	if (record_decode(d->raw.bytes, d->raw.header.size, false,
			  d->event ? &d->event->attr : NULL, &r) < 0)
		return transform_pass(&m->transform, d);
	m->seen++;
	/* Maps of the kernel are useful even without samples in them. */
	if (!m->options.all_images && !map_build_ids_is_kernel(&r))
		return 0;
	m->passed++;
	if (!(r.header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		map_build_ids_add_build_id(m, map_build_ids_image_of(m, &r, d->time), &r);
	return transform_pass_record(&m->transform, &r, d->event);
}

static int write_map(struct map_build_ids *m, uint32_t pid, const struct map *map,
		     const struct delivered *d, const struct sample *s)
{
	struct record r = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.id = { .pid = pid, .tid = s->tid, .time = s->time, .id = s->id, .cpu = s->cpu },
		.mmap = { .pid = pid,
			  .tid = pid,
			  .addr = map->start,
			  .len = map->end - map->start,
			  .pgoff = map->pgoff,
			  .filename = map->name,
			  .ino = map->ino,
			  .prot = map->prot,
			  .flags = map->flags },
	};

	map_build_ids_add_build_id(m, map->image, &r);
	m->passed++;
	return transform_pass_record(&m->transform, &r, d->event);
}

/* Writes the map that contains the user address @addr, unless readers know it for this process. */
static int need_map(struct map_build_ids *m, uint64_t addr, const struct delivered *d,
		    const struct sample *s)
{
	struct location at;
	uint64_t key;

	if (!addr || addr >> 63 ||
	    !machine_locate(m->options.session, s->pid, ADDRESS_USER, addr, d->time, &at) ||
	    !at.map)
		return 0;
	key = (uintptr_t)at.map ^ (uint64_t)s->pid << 48;
	if (u64_map_find(&m->written, key) == at.map)
		return 0;
	u64_map_put(&m->written, key, (void *)at.map);
	return write_map(m, s->pid, at.map, d, s);
}

static int need_maps(struct map_build_ids *m, const struct delivered *d)
{
	struct sample s;
	int r;

	if (!transform_sample(d, &s))
		return 0;
	r = need_map(m, s.ip, d, &s);
	if (r >= 0)
		r = need_map(m, s.addr, d, &s);
	for (size_t i = 0; i < s.chain.n && r >= 0; i++)
		r = need_map(m, words_get(&s.chain, i), d, &s);
	for (size_t i = 0; i < s.branches.n && r >= 0; i++)
		r = i % 3 == 2 ? 0 : need_map(m, words_get(&s.branches, i), d, &s);
	return r;
}

static int map_build_ids_take(struct transform *t, const struct delivered *d)
{
	struct map_build_ids *m = maps_of(t);
	uint32_t type = d->raw.header.type;
	int r = 0;

	if (type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2)
		return take_map(m, d);
	if (type == PERF_RECORD_SAMPLE && !m->options.all_images)
		r = need_maps(m, d);
	return r < 0 ? r : transform_pass(t, d);
}

static const struct transform_kind kind = { .take = map_build_ids_take };

struct map_build_ids *map_build_ids_new(const struct build_id_marks_options *o)
{
	struct map_build_ids *m = xcalloc(1, sizeof(*m));

	m->transform.kind = &kind;
	m->options = *o;
	return m;
}

void map_build_ids_free(struct map_build_ids *m)
{
	if (!m)
		return;
	u64_map_done(&m->written);
	free(m);
}

struct transform *map_build_ids_transform(struct map_build_ids *m)
{
	return &m->transform;
}

uint64_t map_build_ids_made(const struct map_build_ids *m)
{
	return m->made;
}

uint64_t map_build_ids_left_out(const struct map_build_ids *m)
{
	return m->seen > m->passed ? m->seen - m->passed : 0;
}
