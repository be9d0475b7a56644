/* SPDX-License-Identifier: MIT */
/* perf kmem: shows the work of the kernel's memory allocators. */
#include "cli/command.h"
#include "tools/kmem/opts.h"

static const struct command *const subcommands[] = { &cmd_kmem_record, &cmd_kmem_stat, NULL };

static const struct kmem_opts defaults = KMEM_OPTS_DEFAULT;

static void tools_kmem_done(void *opts)
{
	kmem_opts_done(opts);
}

static const char *const usage[] = { "[<options>] {record|stat}", NULL };

const struct command cmd_kmem = {
	.name = "kmem",
	.summary = "show who allocates memory in the kernel",
	.usage = usage,
	.options = kmem_options,
	.opts_size = sizeof(struct kmem_opts),
	.defaults = &defaults,
	.subcommands = subcommands,
	.done = tools_kmem_done,
};
