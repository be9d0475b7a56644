/* SPDX-License-Identifier: MIT */
#include "options/filter.h"

const struct option filter_options[] = {
	OPT_HEADING("Which samples:"),
	OPT_CALL(0, "time", struct filter_request, time, "from,to",
		 "only this span: 12.5,13 in seconds, or 10%/2, 0%-10%", .set = time_window_set),
	OPT_CPUS('C', struct filter_request, cpus),
	OPT_PIDS(struct filter_request, pids),
	OPT_TIDS(struct filter_request, tids),
	OPT_COMMS('c', struct filter_request, comms),
	OPT_SYMBOLS(struct filter_request, symbols),
	OPT_STRING(0, "switch-on", struct filter_request, switch_on, "event",
		   "only after this event has happened"),
	OPT_STRING(0, "switch-off", struct filter_request, switch_off, "event",
		   "only until this event happens"),
	OPT_FLAG(0, "show-on-off-events", struct filter_request, show_on_off_events,
		 "with --switch-on and --switch-off, show those events too"),
	OPT_ITRACE(struct filter_request, itrace),
	OPT_END
};
