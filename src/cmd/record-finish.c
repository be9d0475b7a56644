/* SPDX-License-Identifier: MIT */
#include "cmd/record-finish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "base/workers.h"
#include "datafile/features.h"
#include "elf/build-id.h"
#include "elf/elf-file.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/buildid-cache.h"
#include "symbol/symbolizer.h"
#include "symbol/vdso.h"

/* More share out what is left of a recording faster than a disk gives it. */
#define WORKERS_MAX 8

/*
 * Where an image is known to be hit, so that most samples and frames cost one look: addresses of
 * samples, and pages of frames. Not pages for both: one may hold several programs that the kernel
 * made, and no sample's image may be missed.
 */
#define MEMO_SLOTS 4096

struct memo_slot {
	uint64_t place; /* an address; or a page, with the highest bit set */
	uint32_t pid;
	struct span span; /* for which it is hit; empty in an empty slot */
};

/* What one thread found. */
struct hits {
	const struct session *session;
	bool swap;
	struct u64_map images;
	struct memo_slot memo[MEMO_SLOTS];
};

struct all_hits {
	struct hits *items;
	unsigned n;
};

static void all_hits_done(struct all_hits *all)
{
	for (unsigned i = 0; i < all->n; i++)
		u64_map_done(&all->items[i].images);
	free(all->items);
}

static struct span mark(struct hits *h, uint32_t pid, enum address_mode mode, uint64_t addr,
			uint64_t time)
{
	struct location at;
	struct span span;

	if (machine_locate_span(h->session, pid, mode, addr, time, &at, &span) && at.map->image)
		u64_map_put(&h->images, (uintptr_t)at.map->image, at.map->image);
	return span;
}

static void mark_place(struct hits *h, uint32_t pid, enum address_mode mode, uint64_t addr,
		       uint64_t time, uint64_t place)
{
	struct memo_slot *slot = &h->memo[(place ^ pid) % MEMO_SLOTS];

	if (slot->place == place && slot->pid == pid && span_has(&slot->span, time))
		return;
	*slot = (struct memo_slot){ .place = place,
				    .pid = pid,
				    .span = mark(h, pid, mode, addr, time) };
}

static uint64_t page_of(uint64_t addr)
{
	return addr >> 12 | UINT64_C(1) << 63;
}

/* Frames behind a marker are in its mode; those before the first in that of the sample. */
static enum address_mode mode_of_marker(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_KERNEL:
		return ADDRESS_KERNEL;
	case PERF_CONTEXT_USER:
	case PERF_CONTEXT_USER_DEFERRED:
		return ADDRESS_USER;
	case PERF_CONTEXT_GUEST_KERNEL:
		return ADDRESS_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST_USER:
		return ADDRESS_GUEST_USER;
	default:
		return ADDRESS_UNKNOWN;
	}
}

static void mark_sample(struct hits *h, const struct sample *s)
{
	enum address_mode mode = address_mode_of(s->misc);

	mark_place(h, s->pid, mode, s->ip, s->time, s->ip);
	for (size_t i = 0; i < s->chain.n; i++) {
		uint64_t ip = words_get(&s->chain, i);

		if (ip >= PERF_CONTEXT_MAX)
			mode = mode_of_marker(ip);
		else if (mode != ADDRESS_UNKNOWN)
			mark_place(h, s->pid, mode, ip, s->time, page_of(ip));
	}
}

static int take_samples(void *arg, unsigned worker, const struct delivered *items, size_t n)
{
	struct hits *h = &((struct all_hits *)arg)->items[worker];

	for (size_t i = 0; i < n; i++) {
		const struct delivered *d = &items[i];
		struct sample s;

		if (d->event && sample_decode(d->raw.bytes, d->raw.header.size, h->swap,
					      &d->event->attr, &s) >= 0)
			mark_sample(h, &s);
	}
	return 0;
}

static bool is_hit(const struct all_hits *all, const struct image *im)
{
	for (unsigned i = 0; i < all->n; i++)
		if (u64_map_find(&all->items[i].images, (uintptr_t)im))
			return true;
	return false;
}

static int vdso_build_id(struct build_id *ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	const void *bytes;
	size_t size;
	int r = vdso_get(&bytes, &size);

	if (r >= 0)
		r = elf_file_open_memory(bytes, size, &f);
	return r < 0 ? r : elf_file_build_id(f, ret);
}

/* "/lib/modules/6.1.0/kernel/fs/nf-tables.ko.xz" and "[nf_tables]" are nf_tables in /sys/module. */
static int module_build_id(const char *name, struct build_id *ret)
{
	const char *slash = strrchr(name, '/');
	_cleanup_(freep) char *module = xstrdup(slash ? slash + 1 : name + (*name == '['));

	module[strcspn(module, ".]")] = '\0';
	for (char *c = module; *c; c++)
		if (*c == '-')
			*c = '_';
	return build_id_of_module(module, ret);
}

static int find_build_id(struct image *im, struct build_id *ret)
{
	const struct build_id *recorded = image_build_id(im);
	const char *name = image_name(im);

	if (recorded->size) {
		*ret = *recorded;
		return 0;
	}
	switch (image_kind(im)) {
	case IMAGE_KERNEL:
		return build_id_of_kernel(ret);
	case IMAGE_MODULE:
		return module_build_id(name, ret);
	case IMAGE_VDSO:
		return strcmp(name, "[vdso]") ? -ENOENT : vdso_build_id(ret);
	case IMAGE_USER:
		return elf_build_id_read(name, ret);
	default:
		return -ENOENT;
	}
}

struct listing {
	const struct record_finish_options *options;
	const struct all_hits *hits;
	const char *cache_dir;
	struct features *features;
};

static void add_to_cache(const struct listing *l, const struct build_id_entry *e, struct image *im)
{
	enum buildid_cache_kind kind = BUILDID_CACHE_ELF;

	/* A module without a file ("[x]") has nothing to be copied. */
	if (image_kind(im) == IMAGE_KERNEL)
		kind = BUILDID_CACHE_KERNEL;
	else if (image_kind(im) == IMAGE_VDSO)
		kind = BUILDID_CACHE_VDSO;
	else if (e->filename[0] != '/')
		return;
	(void)buildid_cache_add(l->cache_dir, e->filename, &e->build_id, kind);
}

/* Every process has the vdso, and there is no file of it to be read later: it is always listed. */
static void list_image(void *arg, struct image *im)
{
	struct listing *l = arg;
	enum image_kind kind = image_kind(im);
	bool kernel = kind == IMAGE_KERNEL || kind == IMAGE_MODULE;
	struct build_id id;

	if (!l->options->all_images && kind != IMAGE_VDSO && !is_hit(l->hits, im))
		return;
	if (find_build_id(im, &id) < 0)
		return;
	struct build_id_entry *e = ARRAY_ADD(&l->features->build_ids);
	e->misc = (kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) |
		  PERF_RECORD_MISC_BUILD_ID_SIZE;
	e->pid = -1;
	e->build_id = id;
	e->filename = xstrdup(image_name(im));
	if (!l->options->no_cache)
		add_to_cache(l, e, im);
}

static int read_samples(struct session *s, struct all_hits *hits, struct features *f,
			struct diag *diag)
{
	const struct unordered_sink sink = { .samples = take_samples, .arg = hits };
	_cleanup_(workers_freep) struct workers *w = session_is_worth_sharing(s)
							     ? workers_new(0, WORKERS_MAX)
							     : NULL;
	int r;

	hits->n = w ? workers_count(w) : 1;
	hits->items = xcalloc(hits->n, sizeof(hits->items[0]));
	for (unsigned i = 0; i < hits->n; i++) {
		hits->items[i].session = s;
		hits->items[i].swap = datafile_swapped(session_datafile(s));
	}
	r = session_deliver_unordered(s, w, &sink, diag);
	if (r < 0)
		return r;
	f->sample_time.first = session_counts(s)->first_time;
	f->sample_time.last = session_counts(s)->last_time;
	features_mark(f, FEATURE_SAMPLE_TIME);
	return 0;
}

int record_finish(const struct record_finish_options *o, struct features *f, struct diag *diag)
{
	const struct session_options so = { .path = o->path, .force = true, .in_file_order = true };
	_cleanup_(session_freep) struct session *session = NULL;
	_cleanup_(all_hits_done) struct all_hits hits = { 0 };
	_cleanup_(freep) char *dir = NULL;
	int r = session_open(&so, &session, diag);

	if (r >= 0)
		r = read_samples(session, &hits, f, diag);
	if (r < 0)
		return r;
	dir = buildid_cache_dir(o->buildid_dir);

	struct listing l = { o, &hits, dir, f };

	machine_images(session, list_image, &l);
	if (f->build_ids.n)
		features_mark(f, FEATURE_BUILD_ID);
	return 0;
}
