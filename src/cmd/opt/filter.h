/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which samples of a profile count: by time, CPU, process, command, symbol, or between two events.
 *
 * Lists of names stay texts (`a,b` or file://NAME), borrowed from argv.
 */
#include <stdbool.h>

#include "base/cpu-list.h"
#include "cli/option.h"
#include "cmd/opt/time.h"
#include "cmd/opt/value.h"

struct filter_opts {
	struct time_window time;
	struct cpu_list cpus;
	struct id_list pids;
	struct id_list tids;
	const char *comms;
	const char *dsos; /* its row is the command's own: only report has a letter for it */
	const char *symbols;
	const char *switch_on;
	const char *switch_off;
	bool show_on_off_events;
};

/* Rows over a struct filter_opts, with a heading. */
extern const struct option filter_options[];

#define NO_TRACES "hardware traces are not decoded in this version"
#define OPT_ITRACE                                                                                 \
	OPT_NOTHING(0, "itrace", "opts", "how to decode hardware traces into samples", NO_TRACES,  \
		    .flags = OPTION_OPTIONAL)

void filter_opts_done(struct filter_opts *f);

/* The name that @list has; NULL: there is no list, or one of more than a name. */
const char *filter_only_name(const char *list);
