/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the subcommands of `perf kwork` have in common. Those that read a recording include
 * kwork_reading_options by OPT_SET(struct opts, reading, kwork_reading_options).
 */
#include <stdbool.h>

#include "cli/option.h"
#include "profile/filter-request.h"
#include "symbol/symbol-request.h"
#include "tools/kwork/event-model.h"
#include "tools/kwork/kwork-model.h"

struct command;
struct diag;
struct invocation;
struct kwork_reading;
struct kwork_request;
struct record_result;
struct recorded_request;

/* Of the family. */
struct kwork_opts {
	struct kwork_classes classes; /* none: those that are usual for the subcommand */
	bool force;
	bool dump_raw;
	unsigned verbose;
};

/* Of all that read a recording. */
struct kwork_reading_opts {
	struct kwork_opts common;
	const char *input;
	const char *name;
	struct filter_request filter;
	struct symbol_request symbols;
	bool use_bpf; /* nothing is read: counted now */
};

/* The subcommands, each in its file. */
extern const struct command cmd_kwork_record;
extern const struct command cmd_kwork_report;
extern const struct command cmd_kwork_latency;
extern const struct command cmd_kwork_timehist;
extern const struct command cmd_kwork_top;

/* Rows over a struct kwork_opts: without and with -k, a letter that timehist has for a file. */
extern const struct option kwork_options[];
extern const struct option kwork_common_options[];

/* Rows over a struct kwork_reading_opts: which events count; and those with common options. */
extern const struct option kwork_filter_options[];
extern const struct option kwork_reading_options[];

/* -b, for those that can do without a recording. */
extern const struct option kwork_bpf_options[];

/*
 * Does the command line make sense with or without -b? Only with it, a command may follow; -i,
 * --time and -D are about recordings. -EINVAL with @diag.
 */
int kwork_check_bpf(const struct invocation *inv, const struct kwork_reading_opts *o,
		    struct diag *diag);

/* `struct kwork_classes`, from a list. */
option_set_fn kwork_classes_set;

void kwork_reading_done(struct kwork_reading_opts *o);

/* What is to be read; the caller may add to it. */
struct recorded_request kwork_recorded_request(const struct kwork_reading_opts *o,
					       const struct invocation *inv);

/* Interrupts, softirqs and work items, unless -k says which. */
struct kwork_classes kwork_classes_or_usual(const struct kwork_opts *o);

/*
 * Reads the recording for @rq, whose model has its mode and callbacks: the rest follows from @o.
 * Returns an exit status, and what went wrong was said; -1: go on.
 */
int kwork_read_for(const struct invocation *inv, const struct kwork_reading_opts *o,
		   struct kwork_request *rq, struct kwork_model *m, struct kwork_reading *ret);
