/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the command line of `perf record` says.
 */
#include <stdbool.h>

#include "cmd/opt/branch.h"
#include "cmd/opt/buffer.h"
#include "cmd/opt/callgraph.h"
#include "cmd/opt/control.h"
#include "cmd/opt/events.h"
#include "cmd/opt/output.h"
#include "cmd/opt/sample.h"
#include "cmd/opt/sampling.h"
#include "cmd/opt/sideband.h"
#include "cmd/opt/target.h"
#include "cmd/opt/verbosity.h"
#include "cmd/record-unwind.h"

struct record_opts {
	struct target target;
	struct event_words events;
	struct sampling_opts sampling;
	struct callgraph_opts callgraph;
	enum record_unwind unwind;
	struct sample_opts sample;
	struct branch_opts branch;
	struct control_request control;
	struct output_opts output;
	struct buffer_opts buffer;
	struct sideband_opts sideband;
	struct verbosity_opts verbosity;
	enum choice no_inherit; /* unsaid: children inherit, but not those of -t */
	bool group;
	bool all_user;
	bool all_kernel;
	const char *snapshot;   /* "": by the defaults; NULL: no snapshots of hardware traces */
	const char *aux_sample; /* likewise */
	bool dry_run;
};
