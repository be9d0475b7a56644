/* SPDX-License-Identifier: MIT */
/* perf mem: shows accesses to memory, and the source from which the hardware got the data. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "event/memory-events.h"
#include "options/input.h"
#include "tools/mem/opts.h"

static int type_add(unsigned *accesses, const char *word, struct diag *diag)
{
	if (!strcmp(word, "load") || !strcmp(word, "loads")) {
		*accesses |= MEMORY_LOADS;
	} else if (!strcmp(word, "store") || !strcmp(word, "stores")) {
		*accesses |= MEMORY_STORES;
	} else {
		diag_set(diag, -EINVAL, "unknown sampling op %s", word);
		diag_hint(diag, "It is load, store, or both: load,store");
		return -EINVAL;
	}
	return 0;
}

static int type_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	_cleanup_(freep) char *words = xstrdup(value ? value : "");
	char *rest = words, *word;
	unsigned accesses = 0;
	int r = 0;

	(void)o;
	while (!negated && r >= 0 && (word = strsep(&rest, ",")))
		r = type_add(&accesses, word, diag);
	if (r >= 0)
		*(unsigned *)field = accesses;
	return r;
}

const struct option mem_both_options[] = {
	OPT_CALL('t', "type", struct mem_opts, accesses, "type",
		 "load or store (default: load,store)", .set = type_set),
	OPT_STRING('C', "cpu", struct mem_opts, cpus, "cpu", "only these CPUs: 0-3,7"),
	OPT_FLAG('p', "phys-data", struct mem_opts, phys_data, "physical addresses, too"),
	OPT_FLAG(0, "data-page-size", struct mem_opts, data_page_size,
		 "sizes of the pages that the data lies in"),
	OPT_END
};

const struct option mem_options[] = {
	OPT_INCLUDE(mem_both_options),
	OPT_INPUT(struct mem_opts, input),
	OPT_FORCE(struct mem_opts, force),
	OPT_FLAG('D', "dump-raw-samples", struct mem_opts, dump_samples,
		 "a line for each sample, in place of the table"),
	OPT_STRING('x', "field-separator", struct mem_opts, separator, "separator",
		   "this between columns, of -D too, and no padding"),
	OPT_FLAG('T', "type-profile", struct mem_opts, type_profile,
		 "types of the data that is accessed, in place of functions"),
	OPT_FLAG('U', "hide-unresolved", struct mem_opts, hide_unresolved,
		 "only rows, or samples, with a known function"),
	OPT_COUNT('v', "verbose", struct mem_opts, verbose, "say more, as perf report -v"),
	OPT_END
};

static const struct command *const subcommands[] = { &cmd_mem_record, &cmd_mem_report, NULL };

static const char *const usage[] = { "[<options>] {record|report}", NULL };

const struct command cmd_mem = {
	.name = "mem",
	.summary = "profile memory accesses",
	.usage = usage,
	.options = mem_options,
	.opts_size = sizeof(struct mem_opts),
	.subcommands = subcommands,
};
