/* SPDX-License-Identifier: MIT */
/* perf archive: the images of a profile in one file, to read it on another machine. */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/output-file.h"
#include "base/text.h"
#include "buildid/cache.h"
#include "cli/command.h"
#include "cmd/archive-tar.h"
#include "cmd/buildid-dir.h"
#include "cmd/profile-build-ids.h"
#include "datafile/writer.h"
#include "elf/build-id.h"

/* The name of the images' archive within an archive of everything. */
#define SYMBOLS "perf.symbols"
#define ALL     "perf.all"

struct opts {
	bool all, unpack, force;
};

static const struct option options[] = {
	OPT_FLAG(0, "all", struct opts, all, "pack the profile itself too"),
	OPT_FLAG(0, "unpack", struct opts, unpack,
		 "unpack an archive: images into the build-id cache, a profile to here"),
	OPT_FLAG('f', "force", struct opts, force, "read a profile of another owner too"),
	OPT_END,
};

static const char *const usage[] = { "[<options>] [file]", NULL };

static enum buildid_cache_kind kind_of(const char *name)
{
	if (!strncmp(name, "[kernel", strlen("[kernel")))
		return BUILDID_CACHE_KERNEL;
	return *name == '[' ? BUILDID_CACHE_VDSO : BUILDID_CACHE_ELF;
}

/* What tar is to take of @id: the link by id, and the directory it leads to. */
static void add_paths(struct name_list *files, const char *origin, const struct build_id *id)
{
	char text[BUILD_ID_TEXT_MAX];

	build_id_format(id, text);

	_cleanup_(freep) char *link = xasprintf(".build-id/%.2s/%s", text, text + 2);
	_cleanup_(freep) char *entry = buildid_cache_entry(".", origin, id);

	name_list_add(files, link);
	name_list_add(files, entry + strlen("./"));
}

/* An image that is not in the cache, but still on this machine, is put there first. */
static void collect(struct invocation *inv, const char *dir, const struct profile_build_ids *ids,
		    struct name_list *files)
{
	size_t missing = 0, unwritten = 0;
	int error = 0;

	for (size_t i = 0; i < ids->n; i++) {
		const struct profile_build_id *image = &ids->items[i];

		int r = buildid_cache_add(dir, image->name, &image->id, kind_of(image->name));
		_cleanup_(freep) char *origin = buildid_cache_origin(dir, &image->id);

		if (origin) {
			add_paths(files, origin, &image->id);
		} else if (writer_is_full(r)) {
			unwritten++;
			error = r;
		} else {
			missing++;
		}
	}
	if (unwritten)
		fprintf(inv->err,
			"perf archive: %zu of %zu images could not be copied into the build-id "
			"cache: %s\n",
			unwritten, ids->n, strerror(-error));
	if (missing)
		fprintf(inv->err,
			"perf archive: %zu of %zu images are neither in the build-id cache nor on "
			"this machine any more; see perf buildid-cache --missing\n",
			missing, ids->n);
}

static int pack_images(struct invocation *inv, const char *profile, const char *base,
		       struct archive_format *ret_format)
{
	const struct opts *o = inv->opts;
	_cleanup_(profile_build_ids_done) struct profile_build_ids ids = { 0 };
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = profile_build_ids_read(profile, o->force, &ids, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	if (!dir)
		return command_failf(inv, "there is no build-id cache: set HOME or --buildid-dir");
	collect(inv, dir, &ids, &files);
	if (!files.n)
		return command_failf(inv, "no build-ids found");
	r = archive_pack(base, dir, &files, ret_format, &d);
	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

static int pack(struct invocation *inv, const char *profile)
{
	struct archive_format format;
	struct text shown = TEXT_EMPTY;
	int status = pack_images(inv, profile, profile, &format);

	if (status)
		return status;
	escape_terminal(&shown, profile, strlen(profile));
	fprintf(inv->out,
		"Now please run:\n\n$ tar xvf %s%s -C ~/.debug\n\n"
		"wherever you need to run 'perf report' on.\n",
		shown.chars, format.suffix);
	text_done(&shown);
	return EXIT_OK;
}

/* perf.all-HOST-YYYYMMDD-hhmmss */
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

/* The profile and the archive of its images lie side by side in the outer archive. */
static int pack_all(struct invocation *inv, const char *profile)
{
	_cleanup_(freep) char *name = all_name();
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct archive_format format;
	int status = pack_images(inv, profile, SYMBOLS, &format);

	if (status)
		return status;

	_cleanup_(freep) char *symbols = xasprintf(SYMBOLS "%s", format.suffix);

	name_list_add(&files, profile);
	name_list_add(&files, symbols);

	int r = archive_pack(name, ".", &files, &format, &d);

	output_file_remove(symbols);
	if (r < 0)
		return command_fail(inv, r, &d);
	fprintf(inv->out,
		"Now please run:\n\n$ perf archive --unpack %s%s\n\n"
		"wherever you need to run 'perf report' on.\n",
		name, format.suffix);
	return EXIT_OK;
}

/* The archive that is meant when none is named: the newest of everything, or perf.data's. */
static char *find_archive(void)
{
	static const char *const patterns[] = { ALL "-*.tar.*", "perf.data.tar.*" };
	char *found = NULL;

	for (size_t i = 0; !found && i < ARRAY_SIZE(patterns); i++) {
		glob_t g = { 0 };

		/* Names with their date sort by it. */
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

static int unpack(struct invocation *inv, const char *named)
{
	_cleanup_(freep) char *found = named ? xstrdup(named) : find_archive();
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	_cleanup_(diag_done) struct diag d = { 0 };
	glob_t symbols = { 0 };
	int r = 0;

	if (!found)
		return command_failf(inv, "there is no archive here: name it");
	if (!dir)
		return command_failf(inv, "there is no build-id cache: set HOME or --buildid-dir");
	r = file_make_directories(dir);
	if (r < 0)
		return command_failf(inv, "cannot make '%s': %s", dir, strerror(-r));
	if (!is_all(found)) {
		r = archive_unpack(found, dir, &d);
	} else {
		r = archive_unpack(found, ".", &d);
		if (r >= 0 && glob(SYMBOLS ".tar.*", 0, NULL, &symbols) == 0) {
			r = archive_unpack(symbols.gl_pathv[0], dir, &d);
			output_file_remove(symbols.gl_pathv[0]);
		}
		globfree(&symbols);
	}
	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	const char *file = inv->argc ? inv->argv[0] : NULL;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (inv->argc > 1) {
		diag_set(&d, -EINVAL, "one file at a time: '%s' is too many", inv->argv[1]);
		return command_usage(inv, &d);
	}
	if (o->unpack)
		return unpack(inv, file);
	return (o->all ? pack_all : pack)(inv, file ? file : "perf.data");
}

const struct command cmd_archive = {
	.name = "archive",
	.summary = "pack the binaries that a profile refers to, to read it elsewhere",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = run,
};
