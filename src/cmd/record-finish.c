/* SPDX-License-Identifier: MIT */
#include "cmd/record-finish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "datafile/features.h"
#include "elf/build-id.h"
#include "elf/elf-file.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/buildid-cache.h"
#include "symbol/symbolizer.h"
#include "symbol/vdso.h"

/*
 * Pages whose image is known to be hit, so that most frames of call chains cost one look. Only for
 * chains: a page may change hands within a recording, and the address of the sample itself is
 * always looked up.
 */
#define MEMO_SLOTS 4096

struct memo_slot {
	uint64_t page; /* 0: empty */
	uint32_t pid;
};

struct hits {
	struct session *session;
	struct u64_map images;
	struct memo_slot memo[MEMO_SLOTS];
};

static void mark(struct hits *h, uint32_t pid, enum address_mode mode, uint64_t addr, uint64_t time)
{
	struct location at;

	if (machine_locate(h->session, pid, mode, addr, time, &at) && at.map->image)
		u64_map_put(&h->images, (uintptr_t)at.map->image, at.map->image);
}

static void mark_frame(struct hits *h, uint32_t pid, enum address_mode mode, uint64_t addr,
		       uint64_t time)
{
	uint64_t page = addr >> 12 | 1ULL << 63;
	struct memo_slot *slot = &h->memo[(page ^ pid) % MEMO_SLOTS];

	if (slot->page == page && slot->pid == pid)
		return;
	*slot = (struct memo_slot){ .page = page, .pid = pid };
	mark(h, pid, mode, addr, time);
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

	mark(h, s->pid, mode, s->ip, s->time);
	for (size_t i = 0; i < s->chain.n; i++) {
		uint64_t ip = words_get(&s->chain, i);

		if (ip >= PERF_CONTEXT_MAX)
			mode = mode_of_marker(ip);
		else if (mode != ADDRESS_UNKNOWN)
			mark_frame(h, s->pid, mode, ip, s->time);
	}
}

static int take_batch(void *arg, const struct delivered *items, size_t n)
{
	struct hits *h = arg;
	bool swap = datafile_swapped(session_datafile(h->session));

	for (size_t i = 0; i < n; i++) {
		const struct delivered *d = &items[i];
		struct sample s;

		if (d->raw.header.type == PERF_RECORD_SAMPLE && d->event &&
		    sample_decode(d->raw.bytes, d->raw.header.size, swap, &d->event->attr, &s) >= 0)
			mark_sample(h, &s);
	}
	return 0;
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
	const struct hits *hits;
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

	if (!l->options->all_images && kind != IMAGE_VDSO &&
	    !u64_map_find(&l->hits->images, (uintptr_t)im))
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

static int read_samples(struct hits *h, struct features *f, struct diag *diag)
{
	const struct session_sink sink = { .batch = take_batch, .arg = h };
	int r = session_scan(h->session, diag);

	if (r >= 0)
		r = session_deliver(h->session, &sink, diag);
	if (r < 0)
		return r;
	f->sample_time.first = session_counts(h->session)->first_time;
	f->sample_time.last = session_counts(h->session)->last_time;
	features_mark(f, FEATURE_SAMPLE_TIME);
	return 0;
}

int record_finish(const struct record_finish_options *o, struct features *f, struct diag *diag)
{
	const struct session_options so = { .path = o->path, .force = true, .in_file_order = true };
	_cleanup_(session_freep) struct session *session = NULL;
	_cleanup_(freep) struct hits *hits = NULL;
	_cleanup_(freep) char *dir = NULL;
	int r = session_open(&so, &session, diag);

	if (r < 0)
		return r;
	hits = xcalloc(1, sizeof(*hits));
	hits->session = session;
	r = read_samples(hits, f, diag);
	if (r >= 0) {
		dir = buildid_cache_dir(o->buildid_dir);

		struct listing l = { o, hits, dir, f };
		machine_images(session, list_image, &l);
		if (f->build_ids.n)
			features_mark(f, FEATURE_BUILD_ID);
	}
	u64_map_done(&hits->images);
	return r;
}
