/* SPDX-License-Identifier: MIT */
#include "measure/record-finish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-id.h"
#include "base/memory.h"
#include "base/workers.h"
#include "datafile/features.h"
#include "datafile/map-build-ids.h"
#include "datafile/writer.h"
#include "kernel/mapped-file.h"
#include "measure/jit-map-copies.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/buildid/cache.h"
#include "symbol/jit-code.h"
#include "symbol/language-runtime.h"
#include "symbol/symbolizer.h"
#include "transform/image-build-id.h"

/* More threads than this process the rest of a recording faster than a disk delivers it. */
#define WORKERS_MAX 8

struct all_hits {
	struct image_hits **items; /* hits of each worker */
	unsigned n;
};

static void all_hits_done(struct all_hits *all)
{
	for (unsigned i = 0; i < all->n; i++)
		image_hits_free(all->items[i]);
	free(all->items);
}

static int record_finish_take_samples(void *arg, const struct sample_batch *b)
{
	const struct all_hits *all = arg;

	for (size_t i = 0; i < b->n; i++)
		image_hits_add(all->items[b->worker], b->items[i].sample);
	return 0;
}

static void add_depths(const struct all_hits *all, struct stack_depths *to)
{
	for (unsigned i = 0; i < all->n; i++) {
		struct stack_depths d = image_hits_depths(all->items[i]);

		stack_depths_add(to, &d);
	}
}

static bool is_hit(const struct all_hits *all, const struct image *im)
{
	for (unsigned i = 0; i < all->n; i++)
		if (image_hits_has(all->items[i], im))
			return true;
	return false;
}

static void unnamed_files_done(struct unnamed_files *u)
{
	for (size_t i = 0; i < u->n; i++)
		free(u->items[i]);
	free(u->items);
}

void record_findings_done(struct record_findings *f)
{
	unnamed_files_done(&f->unnamed);
	unnamed_files_done(&f->dumps);
}

static void record_finish_add_unnamed(struct unnamed_files *u, const char *path)
{
	for (size_t i = 0; i < u->n; i++)
		if (!strcmp(u->items[i], path))
			return;
	*ARRAY_ADD(u) = xstrdup(path);
}

struct record_finish_listing {
	const struct record_finish_options *options;
	const struct session *session;
	const struct all_hits *hits;
	const char *cache_dir;
	struct features *features;
	struct unnamed_files *unnamed;
	struct silent_runtimes *runtimes;
	struct unnamed_files *dumps;
	struct {
		int32_t *items;
		size_t n, room;
	} jit;           /* processes with samples in JIT code */
	bool has_dump;   /* a process has written jit-PID.dump, as node --perf-prof does */
	size_t uncached; /* images that did not fit, or that may not be written */
	int error;       /* the error of the first of them */
};

/* True if the cache cannot be written, as opposed to an image that is gone, replaced or hidden. */
static bool is_cache_error(const struct record_finish_listing *l, const struct build_id_entry *e,
			   int error)
{
	if (writer_is_full(error))
		return true;
	return error == -EACCES && access(l->cache_dir, F_OK) == 0 &&
	       (e->filename[0] != '/' || access(e->filename, R_OK) == 0);
}

/*
 * Adds a program or library to the cache. At its own path, the links there give the name by which
 * the cache knows it.
 */
static int add_file_to_cache(const struct record_finish_listing *l, const struct build_id_entry *e,
			     const struct image *im)
{
	_cleanup_(freep) char *path = NULL;
	int r = image_file_path(im, &path);

	if (r < 0)
		return r;
	if (!strcmp(path, e->filename))
		return buildid_cache_add(l->cache_dir, path, &e->build_id, BUILDID_CACHE_ELF);
	return buildid_cache_add_from(l->cache_dir, e->filename, path, &e->build_id);
}

static void record_finish_add_to_cache(struct record_finish_listing *l,
				       const struct build_id_entry *e, struct image *im)
{
	enum buildid_cache_kind kind = BUILDID_CACHE_ELF;
	int r;

	/* A module without a file ("[x]") has nothing to be copied. */
	if (image_kind(im) == IMAGE_KERNEL)
		kind = BUILDID_CACHE_KERNEL;
	else if (image_kind(im) == IMAGE_VDSO)
		kind = BUILDID_CACHE_VDSO;
	else if (e->filename[0] != '/')
		return;
	r = image_kind(im) == IMAGE_USER
		    ? add_file_to_cache(l, e, im)
		    : buildid_cache_add(l->cache_dir, e->filename, &e->build_id, kind);
	if (r >= 0 || !l->cache_dir || !is_cache_error(l, e, r))
		return;
	if (!l->uncached++)
		l->error = r;
}

/*
 * True if the file of @im, which has no build-id, cannot be found later: its path leads to another
 * file or to none.
 */
static bool is_out_of_reach(const struct image *im)
{
	_cleanup_(freep) char *path = NULL;

	if (image_kind(im) != IMAGE_USER || !image_file_id(im)->ino)
		return false;
	return image_file_path(im, &path) < 0 || strcmp(path, image_name(im)) != 0;
}

static void look_for_runtime(struct silent_runtimes *found, const struct image *im)
{
	enum runtime_kind r = language_runtime_of(image_name(im));

	if (r == RUNTIME_KIND_NONE || language_runtime_names(im))
		return;
	found->found |= 1u << r;
}

static void look_for_jit_code(void *arg, struct image *im)
{
	struct record_finish_listing *l = arg;
	bool is_code = image_kind(im) == IMAGE_JIT || image_kind(im) == IMAGE_JITDUMP;

	if (is_code && is_hit(l->hits, im))
		*ARRAY_ADD(&l->jit) = image_pid(im);
}

static bool has_jit_code(const struct record_finish_listing *l, int32_t pid)
{
	for (size_t i = 0; i < l->jit.n; i++)
		if (l->jit.items[i] == pid)
			return true;
	return false;
}

/*
 * True if the file of @im exists only in a container: its path leads to another file here, or to
 * none.
 */
static bool record_finish_is_elsewhere(const struct image *im)
{
	const struct mapping m = { .path = image_name(im), .file = *image_file_id(im) };
	_cleanup_(closep) int fd = m.file.ino ? mapped_file_open(&m, NULL) : -EBADF;

	return fd == -ENOENT || fd == -ESTALE;
}

static void look_for_dump(void *arg, struct image *im)
{
	struct record_finish_listing *l = arg;

	if (!jit_code_is_dump(image_name(im)))
		return;
	l->has_dump = true;
	if (has_jit_code(l, image_pid(im)) && record_finish_is_elsewhere(im))
		record_finish_add_unnamed(l->dumps, image_name(im));
}

/* Keeps the map of JIT code of a process in a container, which may be gone already. */
static void keep_jit_map(void *arg, struct image *im)
{
	const struct record_finish_listing *l = arg;

	if (image_kind(im) == IMAGE_JIT && is_hit(l->hits, im))
		jit_map_copies_add(l->options->jit_maps, l->options->kept, image_pid(im));
}

/*
 * True if @e is listed already. The vdso, or a file seen in several mount namespaces, is a separate
 * image in each, but is listed once.
 */
static bool is_in_list(const struct features *f, const struct build_id_entry *e)
{
	for (size_t i = 0; i < f->build_ids.n; i++) {
		const struct build_id_entry *other = &f->build_ids.items[i];

		if (build_id_equal(&other->build_id, &e->build_id) && other->pid == e->pid &&
		    other->misc == e->misc && !file_id_differs(&other->file, &e->file) &&
		    !strcmp(other->filename, e->filename))
			return true;
	}
	return false;
}

/*
 * Lists @im with its build-id. The vdso is always listed, because every process has it and no file
 * of it exists that could be read later.
 */
static void record_finish_list_image(void *arg, struct image *im)
{
	struct record_finish_listing *l = arg;
	enum image_kind kind = image_kind(im);
	struct build_id_entry entry, *e;
	struct build_id id;

	if (!l->options->all_images && kind != IMAGE_VDSO && !is_hit(l->hits, im))
		return;
	if (kind == IMAGE_USER && is_hit(l->hits, im) && !l->has_dump)
		look_for_runtime(l->runtimes, im);
	if (image_find_build_id(im, &id) < 0) {
		if (is_hit(l->hits, im) && is_out_of_reach(im))
			record_finish_add_unnamed(l->unnamed, image_name(im));
		return;
	}
	entry = image_build_id_entry(l->session, im, &id);
	if (is_in_list(l->features, &entry)) {
		free(entry.filename);
		return;
	}
	e = ARRAY_ADD(&l->features->build_ids);
	*e = entry;
	if (!l->options->no_cache)
		record_finish_add_to_cache(l, e, im);
}

static int tell_uncached(const struct record_finish_listing *l, struct diag *diag)
{
	bool full = writer_is_full(l->error);

	diag_set(diag, l->error, "%zu images could not be copied into the build-id cache '%s': %s",
		 l->uncached, l->cache_dir, strerror(-l->error));
	diag_hint(diag,
		  "%s, or name another folder with --buildid-dir. "
		  "Reports need the images where they are now.",
		  full ? "Make room"
		       : "Make sure that you may write there, and that it has no links of other "
			 "users");
	return 1;
}

static int record_finish_read_samples(struct session *s, struct all_hits *hits, struct features *f,
				      struct diag *diag)
{
	const struct consumer consumer = { .undivided = true,
					   .samples = record_finish_take_samples,
					   .arg = hits };
	_cleanup_(workers_freep) struct workers *w = workers_new(0, WORKERS_MAX);
	int r;

	hits->n = workers_count(w);
	hits->items = xcalloc(hits->n, sizeof(struct image_hits *));
	for (unsigned i = 0; i < hits->n; i++)
		hits->items[i] = image_hits_new(s);
	r = session_feed(s, w, &consumer, diag);
	if (r < 0)
		return r;
	f->sample_time.first = session_counts(s)->first_time;
	f->sample_time.last = session_counts(s)->last_time;
	features_mark(f, FEATURE_SAMPLE_TIME);
	return 0;
}

int record_finish(const struct record_finish_options *o, struct features *f,
		  struct record_findings *found, struct diag *diag)
{
	const struct session_options so = {
		.path = o->path,
		.force = true,
		.in_file_order = true,
		.forgets = !o->few_maps,
		.kept = o->kept,
		.progress = o->progress,
	};
	_cleanup_(session_freep) struct session *session = NULL;
	_cleanup_(all_hits_done) struct all_hits hits = { 0 };
	_cleanup_(freep) char *dir = NULL;
	int r = session_open(&so, &session, diag);

	if (r >= 0)
		r = record_finish_read_samples(session, &hits, f, diag);
	add_depths(&hits, &found->depths);
	if (r < 0 || o->only_times)
		return r < 0 ? r : 0;
	dir = buildid_cache_dir(o->buildid_dir);

	struct record_finish_listing l = {
		.options = o,
		.session = session,
		.hits = &hits,
		.cache_dir = dir,
		.features = f,
		.unnamed = &found->unnamed,
		.dumps = &found->dumps,
		.runtimes = &found->runtimes,
	};

	/* Whether an interpreter has named its code is found out below from these copies. */
	if (o->kept && o->jit_maps)
		machine_images(session, keep_jit_map, &l);
	machine_images(session, look_for_jit_code, &l);
	machine_images(session, look_for_dump, &l);
	free(l.jit.items);
	machine_images(session, record_finish_list_image, &l);
	if (f->build_ids.n)
		features_mark(f, FEATURE_BUILD_ID);
	r = map_build_ids_write(o->path, f, diag);
	if (r < 0)
		return r;
	return l.uncached ? tell_uncached(&l, diag) : 0;
}
