/* SPDX-License-Identifier: MIT */
#include "tools/buildid-cache/image-cache-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "base/text.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "profile/profile-build-ids.h"
#include "symbol/buildid/cache.h"
#include "symbol/buildid/kcore.h"

/* Adds a note. Names come from the disk and from profiles, so they must not act on the terminal. */
static void image_cache_tell(const struct image_cache *c, enum note_kind kind, const char *before,
			     const char *name, const char *after)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, name, strlen(name));
	notes_add(c->notes, kind, "%s%s%s", before, t.chars, after);
}

static void image_cache_report(const struct image_cache *c, const char *doing,
			       const struct build_id *id, int r)
{
	char text[BUILD_ID_TEXT_MAX];
	_cleanup_(freep) char *before = xasprintf("%s %s ", doing, build_id_format(id, text));

	if (c->verbose)
		image_cache_tell(c, NOTE_DETAIL, before, c->file, r < 0 ? ": FAIL" : ": Ok");
}

/* Returns the file's path as seen by this process. The caller frees it. */
static char *file_path(const struct image_cache *c)
{
	if (!c->target_ns)
		return xstrdup(c->file);
	return xasprintf("/proc/%llu/root%s", (unsigned long long)c->target_ns, c->file);
}

static void hint_at_room(const struct image_cache *c)
{
	_cleanup_(freep) char *path = file_path(c);
	_cleanup_(text_done) struct text dir = TEXT_EMPTY;
	struct stat st;

	escape_terminal(&dir, c->dir, strlen(c->dir));
	notes_add(c->notes, NOTE_HINT,
		  "It takes %.1f MB in '%s': make room, or keep the cache elsewhere with "
		  "'perf --buildid-dir DIR'.",
		  stat(path, &st) == 0 ? (double)st.st_size / 1e6 : 0, dir.chars);
}

static void image_cache_fail(struct image_cache *c, const char *doing, int error)
{
	_cleanup_(freep) char *why = xasprintf(": %s", error == -ENODATA   ? "it has no build-id"
						       : error == -ENOEXEC ? "not an ELF file"
									   : strerror(-error));
	_cleanup_(freep) char *what = xasprintf("Couldn't %s ", doing);

	image_cache_tell(c, NOTE_STATUS, what, c->file, why);
	if (error == -ENOSPC || error == -EDQUOT || error == -EFBIG)
		hint_at_room(c);
	c->failed = true;
}

static int image_cache_add_to(struct image_cache *c, const char *path, const struct build_id *id)
{
	if (c->target_ns)
		return buildid_cache_add_from(c->dir, c->file, path, id);
	return buildid_cache_add(c->dir, path, id, BUILDID_CACHE_ELF);
}

static void image_cache_add_file(struct image_cache *c)
{
	_cleanup_(freep) char *path = file_path(c);
	struct build_id id;
	int r = elf_build_id_read(path, &id);

	if (r < 0) {
		image_cache_fail(c, "add", r);
		return;
	}
	r = image_cache_add_to(c, path, &id);
	image_cache_report(c, "Adding", &id, r);
	if (r < 0)
		image_cache_fail(c, "add", r);
}

static void update_file(struct image_cache *c)
{
	_cleanup_(freep) char *path = file_path(c);
	struct build_id id;
	int r = elf_build_id_read(path, &id);

	if (r < 0) {
		image_cache_fail(c, "update", r);
		return;
	}
	buildid_cache_remove(c->dir, &id);
	r = image_cache_add_to(c, path, &id);
	image_cache_report(c, "Updating", &id, r);
	if (r < 0)
		image_cache_fail(c, "update", r);
}

static void remove_file(struct image_cache *c)
{
	_cleanup_(freep) char *path = file_path(c);
	struct build_id id;
	int r = elf_build_id_read(path, &id);

	if (r < 0) {
		image_cache_fail(c, "remove", r);
		return;
	}
	r = buildid_cache_remove(c->dir, &id);
	image_cache_report(c, "Removing", &id, r);
	if (r == -ENOENT && c->verbose)
		image_cache_tell(c, NOTE_DETAIL, "", c->file, " wasn't in the cache");
	else if (r < 0 && r != -ENOENT)
		image_cache_fail(c, "remove", r);
}

static int purge_one(const struct build_id *id, void *arg)
{
	struct image_cache *c = arg;
	int r = buildid_cache_remove(c->dir, id);

	image_cache_report(c, "Removing", id, r);
	if (r < 0)
		image_cache_fail(c, "remove", r);
	return 0;
}

static void purge_file(struct image_cache *c)
{
	char *real = realpath(c->file, NULL);
	int r = buildid_cache_for_each_of(c->dir, real ? real : c->file, purge_one, c);

	free(real);
	if (r < 0)
		image_cache_fail(c, "purge", r);
	else if (c->verbose)
		image_cache_tell(c, NOTE_DETAIL, "Purging ", c->file, ": Ok");
}

static int purge_entry(const struct build_id *id, void *arg)
{
	struct image_cache *c = arg;
	_cleanup_(freep) char *origin = buildid_cache_origin(c->dir, id);
	char text[BUILD_ID_TEXT_MAX];
	int r = buildid_cache_remove(c->dir, id);

	c->file = origin ? origin : "?";
	if (c->verbose) {
		_cleanup_(freep) char *after = xasprintf(" (%s): %s", build_id_format(id, text),
							 r < 0 ? "FAIL" : "Ok");

		image_cache_tell(c, NOTE_DETAIL, "Removing ", c->file, after);
	}
	if (r < 0)
		image_cache_fail(c, "remove", r);
	return 0;
}

void image_cache_purge_all(struct image_cache *c)
{
	int r = buildid_cache_for_each(c->dir, purge_entry, c);

	if (c->verbose)
		notes_add(c->notes, NOTE_DETAIL, "Purged all: %s",
			  r < 0 || c->failed ? "FAIL" : "Ok");
}

/* Calls @fn for the words between commas in a list, in order, each once. */
static void for_each_file(struct image_cache *c, const char *list,
			  void (*fn)(struct image_cache *c))
{
	_cleanup_(name_list_done) struct name_list files = { 0 };

	while (*list) {
		size_t n = strcspn(list, ",");
		_cleanup_(freep) char *file = xstrndup(list, n);

		if (n)
			name_list_add(&files, file);
		list += n + (list[n] == ',');
	}
	name_list_sort(&files);
	for (size_t i = 0; i < files.n; i++) {
		if (i && !strcmp(files.items[i], files.items[i - 1]))
			continue;
		c->file = files.items[i];
		fn(c);
	}
}

/* True if the file with the path @origin on this machine is still the build @id. */
static bool image_cache_is_current(const char *origin, const struct build_id *id)
{
	struct build_id found;
	int r = strcmp(origin, "[kernel.kallsyms]") ? elf_build_id_read(origin, &found)
						    : build_id_of_kernel(&found);

	return r >= 0 && build_id_equal(&found, id);
}

struct visit {
	const struct image_cache *cache;
	image_cache_fn *fn;
	void *arg;
};

static int visit_current(const struct build_id *id, void *arg)
{
	const struct visit *v = arg;
	_cleanup_(freep) char *origin = buildid_cache_origin(v->cache->dir, id);

	if (origin && image_cache_is_current(origin, id))
		v->fn(v->arg, id, origin);
	return 0;
}

int image_cache_for_each_current(const struct image_cache *c, image_cache_fn *fn, void *arg)
{
	struct visit v = { c, fn, arg };

	return buildid_cache_for_each(c->dir, visit_current, &v);
}

int image_cache_for_each_missing(const struct image_cache *c, const char *profile, bool force,
				 image_cache_fn *fn, void *arg, struct diag *diag)
{
	_cleanup_(profile_build_ids_done) struct profile_build_ids ids = { 0 };
	int r = profile_build_ids_read(profile, force, &ids, diag);

	for (size_t i = 0; i < ids.n && r >= 0; i++)
		if (!buildid_cache_contains(c->dir, &ids.items[i].id))
			fn(arg, &ids.items[i].id, ids.items[i].name);
	return r;
}

void image_cache_add_kcore(struct image_cache *c, const char *path)
{
	_cleanup_(freep) char *added = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = kcore_cache_add(c->dir, path, &added, &d);

	c->file = path;
	if (r < 0 && d.message) {
		notes_take(c->notes, NOTE_FAILURE, &d);
		c->failed = true;
	} else if (r < 0)
		image_cache_fail(c, "add", r);
	else if (c->verbose)
		image_cache_tell(c, NOTE_DETAIL,
				 r ? "kcore added to build-id cache directory "
				   : "same kcore found in ",
				 added, "");
}

void image_cache_add(struct image_cache *c, const char *list)
{
	for_each_file(c, list, image_cache_add_file);
}

void image_cache_update(struct image_cache *c, const char *list)
{
	for_each_file(c, list, update_file);
}

void image_cache_remove(struct image_cache *c, const char *list)
{
	for_each_file(c, list, remove_file);
}

void image_cache_purge(struct image_cache *c, const char *list)
{
	for_each_file(c, list, purge_file);
}
