/* SPDX-License-Identifier: MIT */
/* perf buildid-cache: adds images to the build-id cache, lists them, and removes them. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "elf/build-id.h"
#include "options/buildid-dir.h"
#include "tools/buildid-cache/image-cache-work.h"

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
	OPT_COUNT('v', "verbose", struct opts, verbose, "say more about every file"),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

/*
 * Prints a row. Names come from the disk and from profiles, so they must not act on the terminal.
 */
static void buildid_cache_print_row(void *arg, const struct build_id *id, const char *name)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	char hex[BUILD_ID_TEXT_MAX];

	escape_terminal(&t, name, strlen(name));
	fprintf(arg, "%s %s\n", build_id_format(id, hex), t.chars);
}

static int list_missing(struct invocation *inv, const struct image_cache *c)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = image_cache_for_each_missing(c, o->missing, o->force, buildid_cache_print_row,
					     inv->out, &d);

	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

static int buildid_cache_check(struct invocation *inv, const struct opts *o)
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

static int buildid_cache_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct notes notes = command_notes(inv);
	struct image_cache c = {
		.dir = dir, .target_ns = o->target_ns, .verbose = o->verbose, .notes = &notes
	};
	int status = buildid_cache_check(inv, o);

	if (status)
		return status;
	if (!dir)
		return command_failf(inv, "there is no build-id cache: set HOME or --buildid-dir");
	if (o->debuginfod)
		fputs("WARNING: debuginfod support requested, but perf is not built with it\n",
		      command_err(inv));
	if (o->list)
		return image_cache_for_each_current(&c, buildid_cache_print_row, inv->out) < 0
			       ? EXIT_FAILED
			       : EXIT_OK;
	image_cache_add(&c, o->add ? o->add : "");
	image_cache_remove(&c, o->remove ? o->remove : "");
	image_cache_purge(&c, o->purge ? o->purge : "");
	if (o->purge_all)
		image_cache_purge_all(&c);
	if (o->missing)
		status = list_missing(inv, &c);
	image_cache_update(&c, o->update ? o->update : "");
	if (o->kcore)
		image_cache_add_kcore(&c, o->kcore);
	return status || c.failed ? EXIT_FAILED : EXIT_OK;
}

const struct command cmd_buildid_cache = {
	.name = "buildid-cache",
	.summary = "add to, list and clean the cache of binaries by build-id",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = buildid_cache_run,
};
