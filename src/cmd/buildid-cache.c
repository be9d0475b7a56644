/* SPDX-License-Identifier: MIT */
/* perf buildid-cache: put images into the build-id cache, list them, take them out. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/text.h"
#include "buildid/cache.h"
#include "buildid/kcore.h"
#include "cli/command.h"
#include "cmd/buildid-dir.h"
#include "cmd/profile-build-ids.h"
#include "elf/build-id.h"
#include "kernel/kernel-notes.h"

struct opts {
	const char *add, *remove, *purge, *update, *missing, *kcore;
	const char *debuginfod;
	bool purge_all, list, force;
	unsigned verbose;
	uint64_t target_ns;
};

static const struct option options[] = {
	OPT_STRING('a', "add", struct opts, add, "file list",
		   "add these programs and libraries, and what static probes they have"),
	OPT_STRING('k', "kcore", struct opts, kcore, "file",
		   "add the kernel's code from this kcore; kallsyms and modules lie beside it"),
	OPT_STRING('r', "remove", struct opts, remove, "file list",
		   "remove what has the build-ids of these files"),
	OPT_STRING('p', "purge", struct opts, purge, "file list",
		   "remove all that was cached under these paths, older builds too"),
	OPT_FLAG('P', "purge-all", struct opts, purge_all, "remove everything"),
	OPT_FLAG('l', "list", struct opts, list, "list what is cached and still as on the disk"),
	OPT_STRING('M', "missing", struct opts, missing, "file",
		   "list what this profile refers to and the cache lacks"),
	OPT_STRING('u', "update", struct opts, update, "file list",
		   "add these files, in the place of what has the same build-id"),
	OPT_FLAG('f', "force", struct opts, force, "read a profile of another owner too"),
	OPT_UINT(0, "target-ns", struct opts, target_ns, "pid",
		 "the files are as this process sees them (containers)"),
	OPT_STRING(0, "debuginfod", struct opts, debuginfod, "urls",
		   "get missing files from these debuginfod servers", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_COUNT('v', "verbose", struct opts, verbose, "tell about every file"),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

/* What the steps below work on. */
struct job {
	struct invocation *inv;
	const struct opts *opts;
	const char *dir;
	const char *file; /* being worked on */
	bool failed;
};

/* Names come from the disk and from profiles: nothing of them may act on the terminal. */
static void say(FILE *out, const char *before, const char *name, const char *after)
{
	struct text t = TEXT_EMPTY;

	escape_terminal(&t, name, strlen(name));
	fprintf(out, "%s%s%s\n", before, t.chars, after);
	text_done(&t);
}

static void report(struct job *j, const char *doing, const struct build_id *id, int r)
{
	char text[BUILD_ID_TEXT_MAX];

	if (!j->opts->verbose)
		return;
	fprintf(j->inv->err, "%s %s ", doing, build_id_format(id, text));
	say(j->inv->err, "", j->file, r < 0 ? ": FAIL" : ": Ok");
}

/* The file as we see it. The caller frees it. */
static char *file_path(const struct job *j)
{
	if (!j->opts->target_ns)
		return xstrdup(j->file);
	return xasprintf("/proc/%llu/root%s", (unsigned long long)j->opts->target_ns, j->file);
}

static void hint_at_room(const struct job *j)
{
	_cleanup_(freep) char *path = file_path(j);
	_cleanup_(text_done) struct text dir = TEXT_EMPTY;
	struct stat st;

	escape_terminal(&dir, j->dir, strlen(j->dir));
	fprintf(j->inv->err,
		"It takes %.1f MB in '%s': make room, or keep the cache elsewhere "
		"with 'perf --buildid-dir DIR'.\n",
		stat(path, &st) == 0 ? (double)st.st_size / 1e6 : 0, dir.chars);
}

static void fail(struct job *j, const char *doing, int error)
{
	_cleanup_(freep) char *why = xasprintf(": %s", error == -ENODATA   ? "it has no build-id"
						       : error == -ENOEXEC ? "not an ELF file"
									   : strerror(-error));
	_cleanup_(freep) char *what = xasprintf("Couldn't %s ", doing);

	say(j->inv->err, what, j->file, why);
	if (error == -ENOSPC || error == -EDQUOT || error == -EFBIG)
		hint_at_room(j);
	j->failed = true;
}

static int add_to_cache(struct job *j, const char *path, const struct build_id *id)
{
	if (j->opts->target_ns)
		return buildid_cache_add_from(j->dir, j->file, path, id);
	return buildid_cache_add(j->dir, path, id, BUILDID_CACHE_ELF);
}

static void add_file(struct job *j)
{
	_cleanup_(freep) char *path = file_path(j);
	struct build_id id;
	int r = elf_build_id_read(path, &id);

	if (r < 0) {
		fail(j, "add", r);
		return;
	}
	r = add_to_cache(j, path, &id);
	report(j, "Adding", &id, r);
	if (r < 0)
		fail(j, "add", r);
}

static void update_file(struct job *j)
{
	_cleanup_(freep) char *path = file_path(j);
	struct build_id id;
	int r = elf_build_id_read(path, &id);

	if (r < 0) {
		fail(j, "update", r);
		return;
	}
	buildid_cache_remove(j->dir, &id);
	r = add_to_cache(j, path, &id);
	report(j, "Updating", &id, r);
	if (r < 0)
		fail(j, "update", r);
}

static void remove_file(struct job *j)
{
	_cleanup_(freep) char *path = file_path(j);
	struct build_id id;
	int r = elf_build_id_read(path, &id);

	if (r < 0) {
		fail(j, "remove", r);
		return;
	}
	r = buildid_cache_remove(j->dir, &id);
	report(j, "Removing", &id, r);
	if (r == -ENOENT && j->opts->verbose)
		say(j->inv->err, "", j->file, " wasn't in the cache");
	else if (r < 0 && r != -ENOENT)
		fail(j, "remove", r);
}

static int purge_one(const struct build_id *id, void *arg)
{
	struct job *j = arg;
	int r = buildid_cache_remove(j->dir, id);

	report(j, "Removing", id, r);
	if (r < 0)
		fail(j, "remove", r);
	return 0;
}

static void purge_file(struct job *j)
{
	char *real = realpath(j->file, NULL);
	int r = buildid_cache_for_each_of(j->dir, real ? real : j->file, purge_one, j);

	free(real);
	if (r < 0)
		fail(j, "purge", r);
	else if (j->opts->verbose)
		say(j->inv->err, "Purging ", j->file, ": Ok");
}

static int purge_entry(const struct build_id *id, void *arg)
{
	struct job *j = arg;
	_cleanup_(freep) char *origin = buildid_cache_origin(j->dir, id);
	char text[BUILD_ID_TEXT_MAX];
	int r = buildid_cache_remove(j->dir, id);

	j->file = origin ? origin : "?";
	if (j->opts->verbose) {
		_cleanup_(freep) char *after = xasprintf(" (%s): %s", build_id_format(id, text),
							 r < 0 ? "FAIL" : "Ok");

		say(j->inv->err, "Removing ", j->file, after);
	}
	if (r < 0)
		fail(j, "remove", r);
	return 0;
}

static void purge_all(struct job *j)
{
	int r = buildid_cache_for_each(j->dir, purge_entry, j);

	if (j->opts->verbose)
		fprintf(j->inv->err, "Purged all: %s\n", r < 0 || j->failed ? "FAIL" : "Ok");
}

/* The words of a list between commas, in order, each once. */
static void for_each_file(struct job *j, const char *list, void (*fn)(struct job *j))
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
		j->file = files.items[i];
		fn(j);
	}
}

/* Is what @origin names on this machine still the build @id? */
static bool is_current(const char *origin, const struct build_id *id)
{
	struct build_id found;
	int r = strcmp(origin, "[kernel.kallsyms]") ? elf_build_id_read(origin, &found)
						    : build_id_of_kernel(&found);

	return r >= 0 && build_id_equal(&found, id);
}

static int list_entry(const struct build_id *id, void *arg)
{
	struct job *j = arg;
	_cleanup_(freep) char *origin = buildid_cache_origin(j->dir, id);
	char text[BUILD_ID_TEXT_MAX + 1];

	if (!origin || !is_current(origin, id))
		return 0;
	build_id_format(id, text);
	say(j->inv->out, strcat(text, " "), origin, "");
	return 0;
}

static int list_missing(struct job *j)
{
	_cleanup_(profile_build_ids_done) struct profile_build_ids ids = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = profile_build_ids_read(j->opts->missing, j->opts->force, &ids, &d);

	if (r < 0)
		return command_fail(j->inv, r, &d);
	for (size_t i = 0; i < ids.n; i++) {
		char text[BUILD_ID_TEXT_MAX + 1];

		if (buildid_cache_contains(j->dir, &ids.items[i].id))
			continue;
		build_id_format(&ids.items[i].id, text);
		say(j->inv->out, strcat(text, " "), ids.items[i].name, "");
	}
	return EXIT_OK;
}

static void add_kcore(struct job *j)
{
	_cleanup_(freep) char *added = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = kcore_cache_add(j->dir, j->opts->kcore, &added, &d);

	j->file = j->opts->kcore;
	if (r < 0 && d.message) {
		command_fail(j->inv, r, &d);
		j->failed = true;
	} else if (r < 0)
		fail(j, "add", r);
	else if (j->opts->verbose)
		say(j->inv->err,
		    r ? "kcore added to build-id cache directory " : "same kcore found in ", added,
		    "");
}

static int check(struct invocation *inv, const struct opts *o)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	bool changes = o->add || o->remove || o->purge || o->update || o->kcore || o->purge_all;

	if (o->list && (changes || o->missing))
		diag_set(&d, -EINVAL, "-l is exclusive.");
	else if (inv->argc)
		diag_set(&d, -EINVAL, "'%s' is not an option", inv->argv[0]);
	else if (!changes && !o->list && !o->missing)
		diag_set(&d, -EINVAL, "say what to do: -a, -r, -p, -P, -u, -k, -l or -M");
	return d.message ? command_usage(inv, &d) : EXIT_OK;
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct job j = { .inv = inv, .opts = o, .dir = dir };
	int status = check(inv, o);

	if (status)
		return status;
	if (!dir)
		return command_failf(inv, "there is no build-id cache: set HOME or --buildid-dir");
	if (o->debuginfod)
		fputs("WARNING: debuginfod support requested, but perf is not built with it\n",
		      inv->err);
	if (o->list)
		return buildid_cache_for_each(dir, list_entry, &j) < 0 ? EXIT_FAILED : EXIT_OK;
	for_each_file(&j, o->add ? o->add : "", add_file);
	for_each_file(&j, o->remove ? o->remove : "", remove_file);
	for_each_file(&j, o->purge ? o->purge : "", purge_file);
	if (o->purge_all)
		purge_all(&j);
	if (o->missing)
		status = list_missing(&j);
	for_each_file(&j, o->update ? o->update : "", update_file);
	if (o->kcore)
		add_kcore(&j);
	return status || j.failed ? EXIT_FAILED : EXIT_OK;
}

const struct command cmd_buildid_cache = {
	.name = "buildid-cache",
	.summary = "add to, list and clean the cache of binaries by build-id",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = run,
};
