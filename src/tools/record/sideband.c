/* SPDX-License-Identifier: MIT */
#include "tools/record/sideband.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "options/value.h"

/* The names of kinds of records. A mapping is useless without its process. */
static const struct {
	const char *name;
	unsigned types;
} synths[] = {
	{ "no", 0 },
	{ "all", SYNTH_ALL },
	{ "task", SYNTH_TASK },
	{ "mmap", SYNTH_TASK | SYNTH_MMAP },
	{ "cgroup", SYNTH_CGROUP },
};

static bool synth_find(const char *word, size_t n, unsigned *types)
{
	for (size_t i = 0; i < ARRAY_SIZE(synths); i++)
		if (strlen(synths[i].name) == n && !strncmp(synths[i].name, word, n)) {
			*types |= synths[i].types;
			return true;
		}
	return false;
}

static int synth_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct synth_choice c = { .given = true };

	for (const char *s = value; s && !negated; s = value_next(s)) {
		size_t n = value_word(s);

		if (!synth_find(s, n, &c.types)) {
			value_refuse(diag, o, value, (size_t)(s - value), n,
				     "'%.*s' cannot be synthesised", (int)n, s);
			diag_hint(diag,
				  "Any of task, mmap and cgroup, with commas; or all, or no.");
			return -EINVAL;
		}
	}
	*(struct synth_choice *)field = c;
	return 0;
}

const struct option sideband_options[] = {
	OPT_HEADING("Records beside the samples:"),
	OPT_FLAG(0, "namespaces", struct sideband_request, namespaces,
		 "record the namespaces of processes"),
	OPT_FLAG(0, "all-cgroups", struct sideband_request, all_cgroups,
		 "record cgroups and their names"),
	OPT_CHOICE(0, "switch-events", struct sideband_request, switch_events,
		   "record context switches"),
	OPT_FLAG(0, "latency", struct sideband_request, latency,
		 "record them for shares of wall-clock time: report --latency"),
	OPT_FLAG(0, "no-bpf-event", struct sideband_request, no_bpf_event,
		 "leave out the BPF programs that come and go"),
	OPT_CALL(0, "synth", struct sideband_request, synth, "no|all|task|mmap|cgroup",
		 "what to record of processes that run already (default: all)", .set = synth_set),
	OPT_FLAG(0, "tail-synthesize", struct sideband_request, tail_synthesize,
		 "record that at the end instead of the beginning"),
	OPT_NOTHING(0, "num-thread-synthesize", "n", "read /proc with n threads",
		    "one thread reads it"),
	OPT_NOTHING(0, "proc-map-timeout", "ms",
		    "give up on /proc/PID/maps after so many milliseconds",
		    "maps are always read to their end"),
	OPT_END
};
