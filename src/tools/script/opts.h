/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of `perf script`, which script.c parses and its other parts use. */
#include "options/filter.h"
#include "options/flame.h"
#include "options/input.h"
#include "options/symbols.h"
#include "options/verbosity.h"
#include "session/reading.h"
#include "tools/script/fields.h"

/* The values of --folded. */
enum script_folded {
	FOLDED_NO,
	FOLDED_PLAIN,
	FOLDED_WITH_KINDS,
};

struct script_opts {
	struct input_opts input;
	struct field_opts fields;
	struct filter_request filter;
	struct symbol_request symbols;
	bool quiet;

	bool dump_unsorted;
	bool hide_call_graph;
	uint64_t max_stack;  /* 0: the system's limit */
	uint64_t max_blocks; /* 0: all */
	const char *stop_bt;
	bool ns, reltime, deltatime;
	bool latency, debug_mode;
	bool per_event_dump;
	bool show_kernel_path;
	bool show_task, show_mmap, show_switch, show_namespace, show_cgroup, show_lost, show_round,
		show_bpf, show_text_poke;
	enum choice merge_callchains; /* deferred ones with their samples; default: yes */
	uint64_t addr_range;

	enum script_folded folded;
	struct flame_choice choice; /* used with --folded */

	bool list, list_dlfilters;
	bool all_cpus; /* -a, for scripts that record */
	const char *script, *gen_script;
	const char *dlfilter;
	struct script_dlargs {
		char **items; /* borrowed from argv */
		size_t n, room;
	} dlargs;
	bool verbose;

	const char *insn_trace;                  /* "raw" or "disasm"; NULL: no */
	const char *call_trace, *call_ret_trace; /* their values, which are ignored */
};

/* Returns the sources of names. Texts are borrowed. */
struct reading_symbols script_symbols_wanted(const struct script_opts *o, const char *buildid_dir);
