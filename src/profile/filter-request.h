/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The filters that choose which samples of a recording count: by time, CPU, process, command,
 * symbol, or between two events. Lists of names stay texts (`a,b` or file://NAME), which are
 * borrowed.
 */
#include <stdbool.h>

#include "base/cpu-list.h"
#include "base/id-list.h"
#include "hwtrace/itrace.h"
#include "session/sample-filter.h"
#include "session/time-window.h"

struct filter_request {
	struct time_window time;
	struct cpu_list cpus;
	struct id_list pids, tids;
	const char *comms, *dsos, *symbols;
	bool without_host, without_guests;  /* leave out samples of the host, or of guests */
	const char *switch_on, *switch_off; /* the names of events */
	bool show_on_off_events;            /* these two events count as well */
	struct itrace_request itrace;       /* options for decoding hardware traces */
};

void filter_request_done(struct filter_request *f);

/*
 * Returns the request for a sample filter that @f describes. @spans are those of its window, as
 * reading_spans() returns them; both are borrowed.
 */
struct sample_filter_request filter_request_of_samples(const struct filter_request *f,
						       const struct time_span *spans);
