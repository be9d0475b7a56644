/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * System calls and other events, as they happen or out of a recording, one after the other.
 *
 *	live ─┬► trace-bpf: programs write calls with their data ──┐
 *	      └► rings: other events, stacks; without BPF also     ├─► trace-model ─► sink
 *	         raw_syscalls:* (measure/live.h) ──────────────────┤
 *	file ──► session_feed() ─► samples-model ──────────────────┘
 *
 * BPF programs and rings have the same clock, so that both are merged in order of time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choice.h"
#include "base/id-list.h"
#include "measure/record.h"
#include "tools/trace/select-work.h"
#include "tools/trace/summary-model.h"
#include "tools/trace/trace-model.h"

struct diag;
struct notes;
struct progress;
struct session;
struct symbolizer;
struct trace_tasks;

enum trace_faults {
	TRACE_FAULTS_MAJOR = 1,
	TRACE_FAULTS_MINOR = 2,
};

/*
 * A flight recorder: BPF programs keep the newest calls in the kernel, and they are not read until
 * a trigger occurs. They are reported when a named task ends, on SIGUSR2, and for the triggers
 * given here; without such triggers also at the end.
 */
struct trace_recorder {
	uint64_t ns;                  /* the time span of calls to keep; 0: no recorder */
	int trigger_error;            /* a call fails with this errno; 0: no trigger */
	uint64_t trigger_duration_ns; /* a call takes at least this long; 0: no trigger */
};

/* A request. Texts and lists are borrowed, except @what, @selection and @left_out. */
struct trace_request {
	struct trace_selection selection;
	unsigned faults; /* also show page faults: enum trace_faults */

	/* The recording to read. */
	const char *input; /* NULL: a live measurement */
	bool force;        /* also read files of other owners */
	/* The live measurement. Events and their sampling are filled in from the selection. */
	struct record_request what;
	enum choice bpf;         /* yes: BPF is required */
	struct id_list left_out; /* processes whose calls are left out */
	const int *output_fds;   /* for the whole system: processes that show this output */
	size_t n_output_fds;     /* are left out, too */
	struct trace_recorder ring;
	uint32_t string_limit; /* the bytes of buffers that are shown */
	bool kernel_stacks;    /* stacks of calls also have frames of the kernel */

	/* The calls and events to show. */
	uint64_t min_duration_ns;
	bool only_failures;
	bool whole_calls;    /* each call once, after it has ended */
	uint64_t max_events; /* 0: no limit */
	const char *switch_on, *switch_off;
	bool shows_switches;
	bool accrues_runtime; /* fills in trace_task.runtime_ns of tasks */

	struct trace_tasks *tasks;
	struct symbolizer *symbolizer; /* for stacks and page faults; or NULL */
	struct trace_sink sink;
	/*
	 * Callbacks with the sink's arg, or NULL. Called with the session of samples, before them;
	 */
	void (*on_session)(void *arg, struct session *s);
	/* with the time of the first event, even if that event is not shown; */
	void (*on_start)(void *arg, uint64_t time_ns);
	/* with a sample of raw_syscalls:* before it becomes a part of a call; */
	void (*on_raw)(void *arg, const struct session_sample *s);
	/* when everything that has arrived was passed on. */
	int (*on_pass)(void *arg);

	/*
	 * Only counts are needed: the kernel counts, if nothing else is requested and BPF can do
	 * it. Otherwise the sink gets the calls.
	 */
	bool only_counts;
	enum trace_summary_mode counts_by;
	bool counts_rows;          /* for histograms and quantiles of times */
	struct progress *progress; /* for reading a recording; or NULL */
	uint64_t refresh_ms;       /* the interval of reports; 0: only at the end */
	/* Reports the counts up to @elapsed_ns. @s is NULL if the sink got the calls. */
	int (*on_counts)(void *arg, struct trace_summary *s, uint64_t elapsed_ns, bool last);

	bool verbose; /* add a note on the way in which calls are watched */
};

void trace_request_done(struct trace_request *rq);

/*
 * Passes everything to the sink. What is missing is reported in @notes. Returns a negative errno
 * with @diag set, or the result of the sink. *@ret is set in any case; for a file it is all zero.
 */
int trace_run(const struct trace_request *rq, struct notes *notes, struct record_result *ret,
	      struct diag *diag);
