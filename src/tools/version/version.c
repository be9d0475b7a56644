/* SPDX-License-Identifier: MIT */
/* perf version: prints the version, and the features of the build. */
#include "cli/command.h"
#include "options/features.h"
#include <version.h>

struct opts {
	bool build_options;
	unsigned verbose;
};

static const struct option options[] = {
	OPT_FLAG(0, "build-options", struct opts, build_options,
		 "also show which features are built in"),
	OPT_COUNT('v', "verbose", struct opts, verbose, "the same"),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

static int version_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;

	fprintf(inv->out, "perf version %s\n", PERF_VERSION);
	if (o->build_options || o->verbose)
		for (const struct feature *f = features; f->name; f++)
			feature_print(f, inv->out);
	return EXIT_OK;
}

const struct command cmd_version = {
	.name = "version",
	.summary = "show the version and what is built in",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = version_run,
};
