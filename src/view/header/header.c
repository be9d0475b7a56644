/* SPDX-License-Identifier: MIT */
#include "view/header/header.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "datafile/reader.h"
#include "view/header/line.h"

static const struct header_row {
	header_line_fn *print; /* NULL: has no text */
	bool long_text;        /* replaced by a hint, unless requested */
} rows[FEATURE_KNOWN] = {
	[FEATURE_HOSTNAME] = { .print = header_hostname },
	[FEATURE_OSRELEASE] = { .print = header_osrelease },
	[FEATURE_VERSION] = { .print = header_version },
	[FEATURE_ARCH] = { .print = header_arch },
	[FEATURE_NRCPUS] = { .print = header_nrcpus },
	[FEATURE_CPUDESC] = { .print = header_cpudesc },
	[FEATURE_CPUID] = { .print = header_cpuid },
	[FEATURE_TOTAL_MEM] = { .print = header_total_mem },
	[FEATURE_CMDLINE] = { .print = header_cmdline },
	[FEATURE_EVENT_DESC] = { .print = header_event_desc },
	[FEATURE_CPU_TOPOLOGY] = { .print = header_cpu_topology, .long_text = true },
	[FEATURE_NUMA_TOPOLOGY] = { .print = header_numa_topology, .long_text = true },
	[FEATURE_BRANCH_STACK] = { .print = header_branch_stack },
	[FEATURE_PMU_MAPPINGS] = { .print = header_pmu_mappings },
	[FEATURE_GROUP_DESC] = { .print = header_group_desc },
	[FEATURE_AUXTRACE] = { .print = header_auxtrace },
	[FEATURE_STAT] = { .print = header_stat },
	[FEATURE_CACHE] = { .print = header_cache, .long_text = true },
	[FEATURE_SAMPLE_TIME] = { .print = header_sample_time },
	[FEATURE_MEM_TOPOLOGY] = { .print = header_mem_topology, .long_text = true },
	[FEATURE_CLOCKID] = { .print = header_clockid },
	[FEATURE_DIR_FORMAT] = { .print = header_dir_format },
	[FEATURE_BPF_PROG_INFO] = { .print = header_bpf_prog_info },
	[FEATURE_BPF_BTF] = { .print = header_bpf_btf },
	[FEATURE_COMPRESSED] = { .print = header_compressed },
	[FEATURE_CPU_PMU_CAPS] = { .print = header_cpu_pmu_caps },
	[FEATURE_CLOCK_DATA] = { .print = header_clock_data },
	[FEATURE_HYBRID_TOPOLOGY] = { .print = header_hybrid_topology, .long_text = true },
	[FEATURE_PMU_CAPS] = { .print = header_pmu_caps },
};

void header_text(FILE *out, const char *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!s)
		s = "(null)";
	escape_terminal(&t, s, strlen(s));
	fputs(t.chars, out);
}

void header_print_feature(const struct features *f, unsigned id, bool full, FILE *out)
{
	if (id >= FEATURE_KNOWN || !rows[id].print || !features_have(f, id))
		return;
	if (rows[id].long_text && !full)
		fprintf(out, "# %s info available, use -I to display\n", feature_name(id));
	else
		rows[id].print(f, out);
}

static void print_captured_on(uint64_t seconds, FILE *out)
{
	time_t t = (time_t)seconds;
	char text[64];
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		return;
	fprintf(out, "# captured on    : %s\n", text);
}

/* Prints the missing features among those that perf has long known. Newer ones are not listed. */
static void print_missing(const struct datafile_facts *facts, FILE *out)
{
	fputs("# missing features: ", out);
	for (unsigned id = FEATURE_TRACING_DATA; id <= FEATURE_PMU_CAPS; id++)
		if (!(facts->feature_bits[id / 64] >> id % 64 & 1))
			fprintf(out, "%s ", feature_name(id));
	fputc('\n', out);
}

void header_print_features(const struct features *f, bool full, FILE *out)
{
	for (unsigned id = 0; id < FEATURE_KNOWN; id++)
		header_print_feature(f, id, full, out);
}

void header_print(const struct datafile *df, bool full, FILE *out)
{
	const struct datafile_facts *facts = datafile_facts(df);

	fputs("# ========\n", out);
	print_captured_on(facts->mtime_s, out);
	fprintf(out,
		"# header version : %" PRIu64 "\n# data offset    : %" PRIu64
		"\n# data size      : %" PRIu64 "\n# feat offset    : %" PRIu64 "\n",
		facts->header_version, facts->data_offset, facts->data_size, facts->feature_offset);
	if (!datafile_is_pipe(df)) {
		header_print_features(datafile_features(df), full, out);
		print_missing(facts, out);
	}
	fputs("# ========\n#\n", out);
}
