/* SPDX-License-Identifier: MIT */
#include "transform/build-id-marks.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "elf/file.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "transform/image-build-id.h"
#include "transform/image-hits.h"
#include "transform/known-build-ids.h"
#include "transform/transform.h"

struct build_id_marks {
	struct transform transform;
	struct build_id_marks_options options;
	struct image_hits *hits;
	size_t n_marked;      /* the number of hits with a mark */
	struct u64_map asked; /* images whose build-id was written, or that have none */
	uint64_t made, missed;
};

static struct build_id_marks *marks_of(struct transform *t)
{
	return (struct build_id_marks *)((char *)t - offsetof(struct build_id_marks, transform));
}

/*
 * True if the recorded kernel has the release of the running one. Otherwise the running kernel
 * provides no information about it.
 */
static bool is_running_kernel(const struct session *s)
{
	const char *release = session_features(s)->os_release;
	struct utsname u;

	return !release || (uname(&u) == 0 && !strcmp(u.release, release));
}

static bool build_id_marks_is_of_kernel(const struct image *im)
{
	return image_kind(im) == IMAGE_KERNEL || image_kind(im) == IMAGE_MODULE ||
	       image_kind(im) == IMAGE_VDSO;
}

int build_id_marks_find(const struct build_id_marks_options *o, struct image *im,
			struct build_id *ret)
{
	const struct build_id *known = o->known ? known_build_ids_find(o->known, image_name(im))
						: NULL;

	if (known) {
		*ret = *known;
		return 0;
	}
	if (!image_build_id(im)->size && build_id_marks_is_of_kernel(im)) {
		if (o->vmlinux && image_kind(im) == IMAGE_KERNEL)
			return elf_build_id_read(o->vmlinux, ret);
		if (!is_running_kernel(o->session))
			return -ENOENT;
	}
	return image_find_build_id(im, ret);
}

static int write_mark(struct build_id_marks *m, struct image *im)
{
	struct build_id_entry e;
	struct build_id id;
	int r;

	if (u64_map_find(&m->asked, (uintptr_t)im))
		return 0;
	u64_map_put(&m->asked, (uintptr_t)im, im);
	if (build_id_marks_find(&m->options, im, &id) < 0) {
		m->missed++;
		return 0;
	}
	e = image_build_id_entry(m->options.session, im, &id);
	r = transform_pass_record(
		&m->transform,
		&(struct record){ .header = { .type = PERF_RECORD_HEADER_BUILD_ID, .misc = e.misc },
				  .build_id = { e.pid, e.build_id, e.filename, e.file } },
		NULL);
	free(e.filename);
	m->made += r >= 0;
	return r;
}

static int mark_hit_images(struct build_id_marks *m, const struct delivered *d)
{
	struct image *const *hits;
	struct sample s;
	size_t n;
	int r = 0;

	if (!transform_sample(d, &s))
		return 0;
	image_hits_add(m->hits, &s);
	hits = image_hits_list(m->hits, &n);
	while (m->n_marked < n && r >= 0)
		r = write_mark(m, hits[m->n_marked++]);
	return r;
}

static int mark_mapped_image(struct build_id_marks *m, const struct delivered *d)
{
	struct location at;
	struct record rec;

	if (record_decode(d->raw.bytes, d->raw.header.size, false,
			  d->event ? &d->event->attr : NULL, &rec) < 0 ||
	    !machine_locate(m->options.session, rec.mmap.pid, address_mode_of(rec.header.misc),
			    rec.mmap.addr, d->time, &at) ||
	    !at.map->image)
		return 0;
	return write_mark(m, at.map->image);
}

static int build_id_marks_take(struct transform *t, const struct delivered *d)
{
	struct build_id_marks *m = marks_of(t);
	uint32_t type = d->raw.header.type;
	int r = 0;

	if (m->options.all_images && (type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2))
		r = mark_mapped_image(m, d);
	else if (!m->options.all_images && type == PERF_RECORD_SAMPLE)
		r = mark_hit_images(m, d);
	return r < 0 ? r : transform_pass(t, d);
}

static const struct transform_kind kind = { .take = build_id_marks_take };

struct build_id_marks *build_id_marks_new(const struct build_id_marks_options *o)
{
	struct build_id_marks *m = xcalloc(1, sizeof(*m));

	m->transform.kind = &kind;
	m->options = *o;
	m->hits = image_hits_new(o->session);
	return m;
}

void build_id_marks_free(struct build_id_marks *m)
{
	if (!m)
		return;
	image_hits_free(m->hits);
	u64_map_done(&m->asked);
	free(m);
}

struct transform *build_id_marks_transform(struct build_id_marks *m)
{
	return &m->transform;
}

uint64_t build_id_marks_made(const struct build_id_marks *m)
{
	return m->made;
}

uint64_t build_id_marks_missed(const struct build_id_marks *m)
{
	return m->missed;
}
