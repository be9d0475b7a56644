/* SPDX-License-Identifier: MIT */
#include "transform/jit-images.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/u64-map.h"
#include "dwarf/function-image.h"
#include "symbol/jit-code.h"
#include "symbol/jit-file.h"
#include "symbol/jitdump.h"
#include "transform/transform.h"

/* The functions of a dump that wait for their time. */
struct waiting_dump {
	struct jit_dump_images images;
	size_t at; /* the index of the next one */
	const struct session_event *event;
	struct record map; /* the dump's map, filled in anew for each function */
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
	/* If a path is too long for a record, one function has no name. */
	return error == -EMSGSIZE ? 0 : error;
}

/* Returns the dump whose next function is the earliest of all that are due at @time, or NULL. */
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

/* Finds a dump by path, because a process may map its dump twice. */
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

/* Limits against filling the disk. Programs have some ten thousand functions. */
#define FUNCTIONS_MAX (1u << 20)
#define DUMP_SIZE_MAX (UINT64_C(4) << 30)

struct jit_images_writing {
	const struct jit_dump_request *request;
	char *directory;    /* the folder of the dump, for new files, */
	char *recorded_dir; /* and the path of that folder in the process */
	char *refusal;      /* the reason not to trust its owner, or NULL */
	char *bytes;        /* the contents of the dump */
	struct jitdump_header header;
	struct jit_dump_images *ret;
	struct u64_map by_start; /* number of the latest function at that address, plus one */
	struct {
		struct function_line *items;
		size_t n, room;
	} lines;
	uint64_t start; /* the function to which the lines belong */
	struct bytes image;
	struct diag *diag;
	int error;
};

void jit_dump_images_done(struct jit_dump_images *d)
{
	for (size_t i = 0; i < d->n; i++)
		free(d->items[i].path);
	free(d->items);
	free(d->remark);
	*d = (struct jit_dump_images){ 0 };
}

static void writing_done(struct jit_images_writing *w)
{
	free(w->directory);
	free(w->recorded_dir);
	free(w->refusal);
	free(w->bytes);
	u64_map_done(&w->by_start);
	free(w->lines.items);
	bytes_done(&w->image);
}

static void jit_dump_images_add_line(const struct jitdump_line *l, void *arg)
{
	struct jit_images_writing *w = arg;

	/* A line of another place, or an empty name, which ends a list of files. */
	if (l->addr < w->start || !*l->file)
		return;
	*ARRAY_ADD(&w->lines) = (struct function_line){ l->addr - w->start, l->file, l->line };
}

static void fill_image(struct jit_images_writing *w, const struct jitdump_code *c)
{
	const uint8_t *bytes = (const uint8_t *)w->bytes;
	const struct image_function function = { c->name, c->name_length, 0, c->code.size };
	struct function_image f = {
		.machine = (uint16_t)w->header.machine,
		.functions = &function,
		.n_functions = 1,
		.code = bytes + c->code.offset,
		.code_size = c->code.size,
		.eh_frame = bytes + c->eh_frame.offset,
		.eh_frame_size = c->eh_frame.size,
		.eh_frame_hdr = bytes + c->eh_frame_hdr.offset,
		.eh_frame_hdr_size = c->eh_frame_hdr.size,
	};
	struct build_id id;

	w->lines.n = 0;
	w->start = c->addr;
	jitdump_lines(w->bytes, &w->header, c, jit_dump_images_add_line, w);
	f.lines = w->lines.items;
	f.n_lines = w->lines.n;
	w->image.n = 0;
	function_image_put(&f, &w->image, &id);
}

static int jit_dump_images_write_file(struct jit_images_writing *w, const char *path,
				      struct jit_mapped *m)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	struct stat st;
	int r = output_file_begin(&o, path, 0, 0644, w->diag);

	if (r < 0)
		return r;
	r = output_file_write(&o, w->image.data, w->image.n);
	if (r >= 0)
		r = fstat(o.fd, &st) < 0 ? -errno : output_file_commit(&o, false);
	if (r < 0)
		return diag_set(w->diag, r, "cannot write '%s': %s", path, strerror(-r));
	m->maj = major(st.st_dev);
	m->min = minor(st.st_dev);
	m->ino = st.st_ino;
	w->ret->made++;
	return 0;
}

/*
 * Returns the time of a function. Times must not decrease: an earlier one is replaced by that of
 * the previous function.
 */
static uint64_t jit_dump_images_time_of(const struct jit_images_writing *w,
					const struct jitdump_code *c)
{
	uint64_t before = w->ret->n ? w->ret->items[w->ret->n - 1].time : 0;

	if (!w->request->is_monotonic || w->header.raw_times)
		return 0;
	return c->time > before ? c->time : before;
}

static void jit_dump_images_add(struct jit_images_writing *w, const struct jitdump_code *c,
				struct jit_mapped m)
{
	m.time = jit_dump_images_time_of(w, c);
	m.addr = c->addr;
	m.size = c->size;
	*ARRAY_ADD(w->ret) = m;
	u64_map_put(&w->by_start, c->addr, (void *)(uintptr_t)w->ret->n);
}

static void jit_dump_images_take_load(struct jit_images_writing *w, const struct jitdump_code *c)
{
	_cleanup_(freep) char *name = xasprintf("jitted-%" PRIu32 "-%" PRIu64 ".so", w->header.pid,
						c->index);
	_cleanup_(freep) char *file = xasprintf("%s/%s", w->directory, name);
	struct jit_mapped m = { .size = 0 };

	if (!c->code.size)
		return;
	fill_image(w, c);
	w->error = jit_dump_images_write_file(w, file, &m);
	if (w->error < 0)
		return;
	m.path = xasprintf("%s/%s", w->recorded_dir, name);
	jit_dump_images_add(w, c, m);
}

static void jit_dump_images_take_move(struct jit_images_writing *w, const struct jitdump_code *c)
{
	uintptr_t number = (uintptr_t)u64_map_find(&w->by_start, c->old_addr);
	struct jit_mapped m;

	if (!number)
		return;
	m = w->ret->items[number - 1];
	m.path = xstrdup(m.path);
	jit_dump_images_add(w, c, m);
}

/* True if the name of the dump contains the process that wrote it. */
static bool is_named_by_writer(const struct jit_images_writing *w)
{
	_cleanup_(freep) char *name = xasprintf("jit-%" PRIu32 ".dump", w->header.pid);
	const char *slash = strrchr(w->request->path, '/');

	return !strcmp(slash ? slash + 1 : w->request->path, name);
}

static void take_code(const struct jitdump_code *c, void *arg)
{
	struct jit_images_writing *w = arg;

	if (w->error < 0 || w->ret->n == FUNCTIONS_MAX || !is_named_by_writer(w))
		return;
	if (c->name)
		jit_dump_images_take_load(w, c);
	else
		jit_dump_images_take_move(w, c);
}

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
}

/* Reads the dump completely. Its process may still be writing to it. */
static int jit_dump_images_read_dump(struct jit_images_writing *w, size_t *ret_size)
{
	const struct jit_dump_request *r = w->request;
	const struct jit_trust trust = { .pid = r->pid, .any_owner = r->any_owner };
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;
	int e = jit_file_find(r->path, NULL, &trust, &f);

	if (e < 0) {
		w->refusal = TAKE(f.refusal);
		return e;
	}
	w->directory = directory_of(f.path);
	w->recorded_dir = directory_of(r->path);
	return file_read_fd(f.fd, DUMP_SIZE_MAX, &w->bytes, ret_size);
}

static const char *explain_times(const struct jit_images_writing *w)
{
	if (w->header.raw_times)
		return "its times are of the CPU's own counter: all its code is mapped at once";
	if (!w->request->is_monotonic)
		return "its times are of another clock (record with -k mono): all its code is "
		       "mapped at once";
	return NULL;
}

static char *explain_failure(const struct jit_images_writing *w, int error)
{
	const char *path = w->request->path;

	if (w->refusal)
		return xasprintf("%s is not read: %s. -f reads it anyway", path, w->refusal);
	return xasprintf("%s: %s", path,
			 error == -EINVAL ? "it is not a dump of compiled code" : strerror(-error));
}

int jit_dump_images_write(const struct jit_dump_request *r, struct jit_dump_images *ret,
			  struct diag *diag)
{
	_cleanup_(writing_done) struct jit_images_writing w = { .request = r,
								.ret = ret,
								.diag = diag };
	const char *remark;
	size_t size;
	int e = jit_dump_images_read_dump(&w, &size);

	if (e >= 0)
		e = jitdump_parse(w.bytes, size, &w.header, take_code, &w);
	if (e >= 0 && !is_named_by_writer(&w))
		e = -EINVAL;
	remark = e < 0 ? NULL : explain_times(&w);
	if (e < 0)
		ret->remark = explain_failure(&w, e);
	else if (remark)
		ret->remark = xasprintf("%s: %s", r->path, remark);
	return w.error;
}
