/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which samples of a recording count: by time, CPU, process, command, symbol, or between two
 * events. Lists of names stay texts (`a,b` or file://NAME), which are borrowed.
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
	bool without_host, without_guests;  /* samples of the one or the other do not count */
	const char *switch_on, *switch_off; /* events */
	bool show_on_off_events;            /* these two count as well */
	struct itrace_request itrace;       /* what hardware traces are made into */
};

void filter_request_done(struct filter_request *f);

/*
 * What @f asks a filter for samples for. @spans are those of its window, as reading_spans() gives
 * them; both are borrowed.
 */
struct sample_filter_request filter_request_of_samples(const struct filter_request *f,
						       const struct time_span *spans);
