/* SPDX-License-Identifier: MIT */
/*
 * perf archive: puts the images of a profile into one file, so that the profile can be read on
 * another machine.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "tools/archive/archive-work.h"

struct opts {
	bool all, unpack, force;
};

static const struct option options[] = {
	OPT_FLAG(0, "all", struct opts, all, "pack the profile itself too"),
	OPT_FLAG(0, "unpack", struct opts, unpack,
		 "unpack an archive: images into the build-id cache, a profile to here"),
	OPT_FLAG('f', "force", struct opts, force,
		 "read a profile of another owner too; with --unpack, replace one"),
	OPT_END,
};

static const char *const usage[] = { "[<options>] [file]", NULL };

static int tools_archive_pack(struct invocation *inv, const struct archive_request *rq,
			      const char *profile)
{
	const struct opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = NULL;
	int r = (o->all ? archive_make_all : archive_make)(rq, profile, &notes, &path, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	escape_terminal(&shown, path, strlen(path));
	fprintf(inv->out,
		o->all ? "Now please run:\n\n$ perf archive --unpack %s\n\n"
		       : "Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n",
		shown.chars);
	fputs("wherever you need to run 'perf report' on.\n", inv->out);
	return EXIT_OK;
}

static int tools_archive_unpack(struct invocation *inv, const struct archive_request *rq,
				const char *archive)
{
	struct notes notes = command_notes(inv);
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = archive_open(rq, archive, &notes, &d);

	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

static int archive_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	const char *file = inv->argc ? inv->argv[0] : NULL;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	const struct archive_request rq = { .buildid_dir = dir,
					    .force = o->force,
					    .progress = command_progress(inv, false, false) };
	_cleanup_(diag_done) struct diag d = { 0 };

	if (inv->argc > 1) {
		diag_set(&d, -EINVAL, "one file at a time: '%s' is too many", inv->argv[1]);
		return command_usage(inv, &d);
	}
	if (o->unpack)
		return tools_archive_unpack(inv, &rq, file);
	return tools_archive_pack(inv, &rq, file ? file : "perf.data");
}

const struct command cmd_archive = {
	.name = "archive",
	.summary = "pack the binaries that a profile refers to, to read it elsewhere",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = archive_run,
};
