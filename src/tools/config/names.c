/* SPDX-License-Identifier: MIT */
#include "tools/config/names.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/similar.h"

/* Patterns. Those of commands' own options are in their tables, too: tests/meta/man-options looks.
 */
static const char *const used[] = {
	"annotate.demangle",
	"annotate.demangle_kernel",
	"annotate.disassembler_style",
	"annotate.hide_src_code",
	"annotate.jump_arrows",
	"annotate.offset_level",
	"annotate.show_linenr",
	"annotate.show_nr_jumps",
	"annotate.show_nr_samples",
	"annotate.show_total_period",
	"annotate.use_offset",
	"buildid.dir",
	"call-graph.dump-size",
	"call-graph.inline",
	"call-graph.order",
	"call-graph.print-limit",
	"call-graph.print-type",
	"call-graph.record-mode",
	"call-graph.sort-key",
	"call-graph.threshold",
	"colors.*",
	"core.pager",
	"daemon.*",
	"diff.compute",
	"diff.order",
	"evlist.style",
	"ftrace.tracer",
	"hist.percentage",
	"kmem.default",
	"llvm.clang-bpf-cmd-template",
	"llvm.clang-opt",
	"llvm.clang-path",
	"llvm.dump-obj",
	"llvm.kbuild-dir",
	"llvm.opts",
	"pager.*",
	"record.build-id",
	"record.call-graph",
	"record.unwind",
	"report.children",
	"report.group",
	"report.percent-limit",
	"report.skip-empty",
	"report.sort-order",
	"report.sort_order",
	"session-*",
	"stat.big-num",
	"stat.bpf-counter-events",
	"top.call-graph",
	"top.children",
	"trace.add_events",
	"trace.args_alignment",
	"trace.no_inherit",
	"trace.show_arg_names",
	"trace.show_duration",
	"trace.show_prefix",
	"trace.show_timestamp",
	"trace.show_zeros",
	"trace.tracepoint_beautifiers",
	"tui.*",
	"ui.show-headers",
};

static const char *const elsewhere[] = {
	"annotate.addr2line",
	"annotate.disassemblers",
	"annotate.objdump",
	"auxtrace.dumpdir",
	"buildid-cache.debuginfod",
	"convert.queue-size",
	"core.proc-map-timeout",
	"help.*",
	"intel-pt.*",
	"llvm.kbuild-opts",
	"man.*",
	"record.aio",
	"record.debuginfod",
	"report.queue-size",
	"samples.context",
	"scripts.*",
};

static bool config_names_is_in(const char *const *names, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (glob_matches_any_case(names[i], key))
			return true;
	return false;
}

enum config_use config_use_of(const char *key)
{
	if (config_names_is_in(used, ARRAY_SIZE(used), key))
		return CONFIG_USED;
	return config_names_is_in(elsewhere, ARRAY_SIZE(elsewhere), key) ? CONFIG_ELSEWHERE
									 : CONFIG_UNKNOWN;
}

char *config_similar_names(const char *key)
{
	struct similar s = { .typed = key };

	/* A name that was begun is nearer than all that are spelled alike. */
	for (size_t i = 0; i < ARRAY_SIZE(used); i++)
		if (!strncasecmp(used[i], key, strlen(key)))
			return xasprintf("'%s'", used[i]);
	for (size_t i = 0; i < ARRAY_SIZE(used); i++)
		if (!glob_is_pattern(used[i]))
			similar_add(&s, used[i]);
	return similar_phrase(&s);
}
