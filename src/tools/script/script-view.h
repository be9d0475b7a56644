/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf script`: every sample of a recording as a line, or as a line and its stack; on request the
 * other records too.
 *
 * Several threads format slices of the recording; the text comes out in the order of the records
 * all the same.
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
	const struct field_request *fields; /* of -F */
	size_t n_fields;
	struct sample_filter_request filter;
	unsigned show;            /* SCRIPT_SHOW_* */
	uint64_t max_stack;       /* frames; 0: SCRIPT_MAX_STACK */
	uint64_t max_blocks;      /* of code between branches; 0: all */
	const char *stop_symbols; /* "a,b": a stack ends there; or NULL */
	const char *dump_prefix;  /* PREFIX.EVENT.dump gets each event's lines, instead of out */
	const struct sample_hook *hook;     /* asked about each sample; or NULL */
	struct dump *dump;                  /* -D: the records themselves come before; or NULL */
	const char *switch_on, *switch_off; /* names of events that turn the printing on and off */
	bool show_switches;                 /* show those samples too */
	bool check_only;                    /* print no samples */
	bool header, full_header;           /* print the features of a stream as they come */
	bool hide_call_graph;
	enum inlines inlines;   /* whether functions that were inlined are frames of stacks */
	bool full_source_paths; /* of lines */
	bool counter_names;     /* counters of branches with the names of events */
	bool stitch_lbr;        /* calls that the processor forgot, from the samples before */
	bool latency;           /* narrower columns */
	bool ns, reltime, deltatime;
	bool escape;      /* out is a terminal */
	unsigned threads; /* 0: as many as there are CPUs */
};

/* What /proc/sys/kernel/perf_event_max_stack is unless somebody changed it. */
#define SCRIPT_MAX_STACK 127

/*
 * Everything in @o is borrowed. -EINVAL with @diag: fields that cannot be; remarks about those that
 * were left out go to @notes, a line each.
 */
int script_new(struct session *s, const struct script_options *o, struct script **ret,
	       struct text *notes, struct diag *diag);
void script_free(struct script *s);
DEFINE_FREEP(script)

/* Whether it was made by `perf stat record`: then counts are printed, and no samples. */
bool script_is_of_counts(struct session *s);

/*
 * Reads the recording and prints it. -EINVAL with @diag: a field or filter needs what was not
 * recorded; other errors: the output cannot be written, or those of session_feed().
 */
int script_print(struct script *s, struct diag *diag);

/*
 * What `perf script` prints of a recording by `perf stat record`: the counts, as they stand at the
 * end of each round, for each event, thread and CPU.
 */

struct record;
struct script_counts;

/* @s is borrowed; its events are looked at with the first counts. */
struct script_counts *script_counts_new(const struct session *s);
void script_counts_free(struct script_counts *c);
DEFINE_FREEP(script_counts)

/* Takes in THREAD_MAP, CPU_MAP and STAT, prints at a STAT_ROUND, and passes over all else. */
void script_counts_record(struct script_counts *c, const struct record *r, FILE *out);
