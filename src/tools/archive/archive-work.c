/* SPDX-License-Identifier: MIT */
#include "tools/archive/archive-work.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "datafile/writer.h"
#include "elf/build-id.h"
#include "profile/profile-build-ids.h"
#include "symbol/buildid/cache.h"
#include "tools/archive/tar-work.h"
#include "tools/archive/unpack-work.h"

/* The name of the images' archive within an archive of everything. */
#define SYMBOLS "perf.symbols"
#define ALL     "perf.all"

static enum buildid_cache_kind archive_kind_of(const char *name)
{
	if (!strncmp(name, "[kernel", strlen("[kernel")))
		return BUILDID_CACHE_KERNEL;
	return *name == '[' ? BUILDID_CACHE_VDSO : BUILDID_CACHE_ELF;
}

/*
 * Adds the paths that tar has to pack for @id: the link by id, and the directory to which it leads.
 */
static void archive_add_paths(struct name_list *files, const char *origin,
			      const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	build_id_format(id, text);

	_cleanup_(freep) char *link = xasprintf(".build-id/%.2s/%s", text, text + 2);
	_cleanup_(freep) char *entry = buildid_cache_entry(".", origin, id);

	name_list_add(files, link);
	name_list_add(files, entry + strlen("./"));
}

/*
 * Collects the images. An image that is not in the cache, but still on this machine, is put into
 * the cache first.
 */
static void archive_collect(const char *dir, const struct profile_build_ids *ids,
			    struct name_list *files, struct notes *notes)
{
	size_t missing = 0, unwritten = 0;
	int error = 0;

	for (size_t i = 0; i < ids->n; i++) {
		const struct profile_build_id *image = &ids->items[i];

		int r = buildid_cache_add(dir, image->name, &image->id,
					  archive_kind_of(image->name));
		_cleanup_(freep) char *origin = buildid_cache_origin(dir, &image->id);

		if (origin) {
			archive_add_paths(files, origin, &image->id);
		} else if (writer_is_full(r)) {
			unwritten++;
			error = r;
		} else {
			missing++;
		}
	}
	if (unwritten)
		notes_add(notes, NOTE_FAILURE,
			  "%zu of %zu images could not be copied into the build-id cache: %s",
			  unwritten, ids->n, strerror(-error));
	if (missing)
		notes_add(notes, NOTE_FAILURE,
			  "%zu of %zu images are neither in the build-id cache nor on this machine "
			  "any more; see perf buildid-cache --missing",
			  missing, ids->n);
}

static int need_cache(const struct archive_request *rq, struct diag *diag)
{
	return rq->buildid_dir ? 0
			       : diag_set(diag, -ENOENT,
					  "there is no build-id cache: set HOME or --buildid-dir");
}

/* Packs the images of @profile into a file whose name is @base with a suffix. */
static int pack_images(const struct archive_request *rq, const char *profile, const char *base,
		       struct notes *notes, char **ret_path, struct diag *diag)
{
	_cleanup_(profile_build_ids_done) struct profile_build_ids ids = { 0 };
	_cleanup_(name_list_done) struct name_list files = { 0 };
	int r = profile_build_ids_read(profile, rq->force, &ids, diag);

	if (r >= 0)
		r = need_cache(rq, diag);
	if (r < 0)
		return r;
	archive_collect(rq->buildid_dir, &ids, &files, notes);
	if (!files.n)
		return diag_set(diag, -ENOENT, "no build-ids found");
	return archive_pack(base, rq->buildid_dir, &files, rq->progress, ret_path, diag);
}

int archive_make(const struct archive_request *rq, const char *profile, struct notes *notes,
		 char **ret_path, struct diag *diag)
{
	return pack_images(rq, profile, profile, notes, ret_path, diag);
}

/* Returns the name perf.all-HOST-YYYYMMDD-hhmmss. */
static char *all_name(void)
{
	time_t now = time(NULL);
	char host[256] = "", date[32];
	struct tm tm;

	gethostname(host, sizeof(host) - 1);
	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	return xasprintf(ALL "-%s-%s", host, date);
}

/* The profile and the archive of its images are side by side in the outer archive. */
int archive_make_all(const struct archive_request *rq, const char *profile, struct notes *notes,
		     char **ret_path, struct diag *diag)
{
	_cleanup_(freep) char *name = all_name(), *symbols = NULL;
	_cleanup_(name_list_done) struct name_list files = { 0 };
	int r = pack_images(rq, profile, SYMBOLS, notes, &symbols, diag);

	if (r < 0)
		return r;
	name_list_add(&files, profile);
	name_list_add(&files, symbols);
	r = archive_pack(name, ".", &files, rq->progress, ret_path, diag);
	output_file_remove(symbols);
	return r;
}

/* Finds the archive to use if none is named: the newest one of everything, or perf.data's. */
static char *find_archive(void)
{
	static const char *const patterns[] = { ALL "-*.tar.*", "perf.data.tar.*" };
	char *found = NULL;

	for (size_t i = 0; !found && i < ARRAY_SIZE(patterns); i++) {
		glob_t g = { 0 };

		/* Names that contain their date sort by it. */
		if (glob(patterns[i], 0, NULL, &g) == 0)
			found = xstrdup(g.gl_pathv[g.gl_pathc - 1]);
		globfree(&g);
	}
	return found;
}

static bool is_all(const char *archive)
{
	const char *slash = strrchr(archive, '/');

	return !strncmp(slash ? slash + 1 : archive, ALL "-", strlen(ALL "-"));
}

int archive_open(const struct archive_request *rq, const char *archive, struct notes *notes,
		 struct diag *diag)
{
	const struct archive_unpacking u = { .buildid_dir = rq->buildid_dir,
					     .replaces = rq->force,
					     .notes = notes };
	_cleanup_(freep) char *found = archive ? xstrdup(archive) : find_archive();
	int r;

	if (!found)
		return diag_set(diag, -ENOENT, "no archive was found here: name one");
	r = need_cache(rq, diag);
	if (r < 0)
		return r;
	r = file_make_directories(rq->buildid_dir);
	if (r < 0)
		return diag_set(diag, r, "cannot make '%s': %s", rq->buildid_dir, strerror(-r));
	return is_all(found) ? archive_unpack_all(&u, found, diag)
			     : archive_unpack_images(&u, found, diag);
}
