/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf script`: prints every sample of a recording as a line, or as a line and its stack; on
 * request also the other records.
 *
 * Several threads format slices of the recording. The text is printed in the order of the records
 * nevertheless.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "session/call-sites.h"
#include "session/sample-filter.h"
#include "tools/script/fields-view.h"
#include "tools/script/record-view.h"

struct diag;
struct dump;
struct sample_hook;
struct script;
struct session;
struct text;

struct script_options {
	FILE *out;
	const struct field_request *fields; /* the requests of -F */
	size_t n_fields;
	struct sample_filter_request filter;
	unsigned show;            /* SCRIPT_SHOW_* */
	uint64_t max_stack;       /* the maximum of frames; 0: SCRIPT_MAX_STACK */
	uint64_t max_blocks;      /* blocks of code between branches; 0: no limit */
	const char *stop_symbols; /* "a,b": a stack ends there; or NULL */
	/* the prefix of the files PREFIX.EVENT.dump, used instead of out */
	const char *dump_prefix;
	const struct sample_hook *hook;     /* called for each sample; or NULL */
	struct dump *dump;                  /* -D: prints the records themselves first; or NULL */
	const char *switch_on, *switch_off; /* names of events that start and stop the printing */
	bool show_switches;                 /* also show those samples */
	bool check_only;                    /* print no samples */
	bool header, full_header;           /* print the features of a stream as they arrive */
	bool hide_call_graph;
	enum inlines inlines;   /* whether inlined functions are frames of stacks */
	bool full_source_paths; /* for source lines */
	bool counter_names;     /* show branch counters with the names of events */
	bool stitch_lbr;        /* add calls that the CPU forgot, from earlier samples */
	bool latency;           /* narrower columns */
	bool ns, reltime, deltatime;
	bool escape;      /* out is a terminal */
	unsigned threads; /* 0: one for each CPU */
};

/* The default of /proc/sys/kernel/perf_event_max_stack. */
#define SCRIPT_MAX_STACK 127

/*
 * Makes a printer. Everything in @o is borrowed. Returns -EINVAL with @diag if fields are
 * impossible. Remarks about omitted fields are added to @notes, one on each line.
 */
int script_new(struct session *s, const struct script_options *o, struct script **ret,
	       struct text *notes, struct diag *diag);
void script_free(struct script *s);
DEFINE_FREEP(script)

/*
 * True if the recording was made by `perf stat record`. In that case counts are printed, and no
 * samples.
 */
bool script_is_of_counts(struct session *s);

/*
 * Reads the recording and prints it. Returns -EINVAL with @diag if a field or filter needs data
 * that was not recorded. Other errors: the output cannot be written, or those of session_feed().
 */
int script_print(struct script *s, struct diag *diag);

/*
 * `perf script` for a recording by `perf stat record`: prints the counts at the end of each round,
 * for each event, thread and CPU.
 */

struct record;
struct script_counts;

/* @s is borrowed. Its events are read with the first counts. */
struct script_counts *script_counts_new(const struct session *s);
void script_counts_free(struct script_counts *c);
DEFINE_FREEP(script_counts)

/* Takes THREAD_MAP, CPU_MAP and STAT, prints at a STAT_ROUND, and ignores other records. */
void script_counts_record(struct script_counts *c, const struct record *r, FILE *out);
