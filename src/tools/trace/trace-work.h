/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * System calls and other events, as they happen or out of a recording, one after the other.
 *
 *	live ─┬► tools/trace/trace-bpf: programs write calls with their data ──┐
 *	      └► rings: other events, stacks; without BPF also     ├─► tools/trace/trace-model ─►
 *sink raw_syscalls:* (measure/live.h) ──────────────────────┤ file ──► session_feed() ─►
 *tools/trace/samples-model ─────────┘
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
 * A flight recorder: BPF programs keep the newest calls in the kernel, and nobody reads them until
 * something happens. They are handed over when a task that was named ends, on SIGUSR2, and for the
 * reasons given here; without such reasons also at the end.
 */
struct trace_recorder {
	uint64_t ns;                  /* calls of the last so many nanoseconds; 0: no recorder */
	int trigger_error;            /* a call fails with this errno; 0: no reason */
	uint64_t trigger_duration_ns; /* a call takes at least so long; 0: no reason */
};

/* Texts and lists are borrowed, but for @what, @selection and @left_out. */
struct trace_request {
	struct trace_selection selection;
	unsigned faults; /* page faults are shown, too: enum trace_faults */

	/* A recording, */
	const char *input; /* or NULL */
	bool force;        /* whoever owns the file */
	/* or what happens now. Events and their sampling are filled in from the selection. */
	struct record_request what;
	enum choice bpf;         /* yes: nothing else will do */
	struct id_list left_out; /* processes whose calls are not wanted */
	const int *output_fds;   /* with the whole system, who shows what comes out here */
	size_t n_output_fds;     /* is left out, too */
	struct trace_recorder ring;
	uint32_t string_limit; /* bytes of buffers that are shown */
	bool kernel_stacks;    /* of calls: not only those of the program */

	/* What is shown. */
	uint64_t min_duration_ns;
	bool only_failures;
	bool whole_calls;    /* each call once, when it has ended */
	uint64_t max_events; /* 0: no limit */
	const char *switch_on, *switch_off;
	bool shows_switches;
	bool accrues_runtime; /* of tasks: trace_task.runtime_ns */

	struct trace_tasks *tasks;
	struct symbolizer *symbolizer; /* for stacks and page faults; or NULL */
	struct trace_sink sink;
	/* Each with the sink's arg; or NULL: the session that samples come from, before them; */
	void (*on_session)(void *arg, struct session *s);
	/* the time of the first event, whether that is shown or not; */
	void (*on_start)(void *arg, uint64_t time_ns);
	/* a sample of raw_syscalls:* before it becomes a part of a call; */
	void (*on_raw)(void *arg, const struct session_sample *s);
	/* all that has come was handed over. */
	int (*on_pass)(void *arg);

	/*
	 * Only counts are wanted: the kernel counts, if nothing else is asked for and BPF can do
	 * it. The sink gets the calls otherwise.
	 */
	bool only_counts;
	enum trace_summary_mode counts_by;
	bool counts_rows;          /* for histograms and quantiles of times */
	struct progress *progress; /* of reading a recording; or NULL */
	uint64_t refresh_ms;       /* they are told so often; 0: only at the end */
	/* What was counted up to @elapsed_ns; @s is NULL if the sink got the calls. */
	int (*on_counts)(void *arg, struct trace_summary *s, uint64_t elapsed_ns, bool last);

	bool verbose; /* a note says how calls are watched */
};

void trace_request_done(struct trace_request *rq);

/*
 * Hands everything to the sink. What is missing goes to @notes. A negative errno with @diag set:
 * also what the sink returned. *@ret is set in any case; of a file it has nothing but zeros.
 */
int trace_run(const struct trace_request *rq, struct notes *notes, struct record_result *ret,
	      struct diag *diag);
