/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Common parts of the subcommands of `perf kwork`. Those that read a recording include
 * kwork_reading_options with OPT_SET(struct opts, reading, kwork_reading_options).
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

/* The options of `perf kwork` itself. */
struct kwork_opts {
	struct kwork_classes classes; /* empty: the default of the subcommand */
	bool force;
	bool dump_raw;
	unsigned verbose;
};

/* The options of all subcommands that read a recording. */
struct kwork_reading_opts {
	struct kwork_opts common;
	const char *input;
	const char *name;
	struct filter_request filter;
	struct symbol_request symbols;
	bool use_bpf; /* count now instead of reading a recording */
};

/* The subcommands, each in a file of its own. */
extern const struct command cmd_kwork_record;
extern const struct command cmd_kwork_report;
extern const struct command cmd_kwork_latency;
extern const struct command cmd_kwork_timehist;
extern const struct command cmd_kwork_top;

/*
 * The options over a struct kwork_opts: without and with -k, a letter that timehist uses for a
 * file.
 */
extern const struct option kwork_options[];
extern const struct option kwork_common_options[];

/*
 * The options over a struct kwork_reading_opts: the choice of events; and the choice together with
 * common options.
 */
extern const struct option kwork_filter_options[];
extern const struct option kwork_reading_options[];

/* -b, for the subcommands that can work without a recording. */
extern const struct option kwork_bpf_options[];

/*
 * Checks that the command line fits to the presence of -b. A command may follow only with -b; -i,
 * --time and -D apply only to recordings. Returns -EINVAL with @diag.
 */
int kwork_check_bpf(const struct invocation *inv, const struct kwork_reading_opts *o,
		    struct diag *diag);

/* Parses a list to `struct kwork_classes`. */
option_set_fn kwork_classes_set;

void kwork_reading_done(struct kwork_reading_opts *o);

/* Returns the request for the recording, to which the caller may add. */
struct recorded_request kwork_recorded_request(const struct kwork_reading_opts *o,
					       const struct invocation *inv);

/* Returns the classes of -k, or else interrupts, softirqs and work items. */
struct kwork_classes kwork_classes_or_usual(const struct kwork_opts *o);

/*
 * Reads the recording for @rq. The caller sets mode and callbacks of its model; the rest is set
 * from @o. Returns an exit status, after errors were reported, or -1 to continue.
 */
int kwork_read_for(const struct invocation *inv, const struct kwork_reading_opts *o,
		   struct kwork_request *rq, struct kwork_model *m, struct kwork_reading *ret);
