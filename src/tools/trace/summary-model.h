/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The number of times each call was made, its duration and its failures: by thread, by cgroup, or
 * in total.
 *
 * It is filled from calls (trace_summary_add()) or from the counts of BPF programs
 * (trace_summary_merge()).
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/student.h"

struct session_sample;
struct trace_call;
struct trace_summary;
struct trace_task;
struct trace_tasks;

enum trace_summary_mode {
	TRACE_SUMMARY_THREAD,
	TRACE_SUMMARY_TOTAL,
	TRACE_SUMMARY_CGROUP,
};

/*
 * The number of rows. Row i counts calls that took 2^i to 2^(i+1) - 1 ns; row 0 also those of 0 ns,
 * the last row also longer ones.
 */
#define TRACE_SUMMARY_ROWS 40

struct trace_summary_errno {
	int error;
	uint64_t count;
};

struct trace_summary_call {
	uint8_t abi;
	int32_t nr;
	const char *name;
	uint64_t calls, errors;
	uint64_t total_ns, min_ns, max_ns;
	struct moments duration_ns;
	uint64_t rows[TRACE_SUMMARY_ROWS];
	struct {
		struct trace_summary_errno *items; /* ascending by error */
		size_t n, room;
	} errnos;
};

struct trace_summary_group {
	uint64_t id;      /* a tid or a cgroup's id; 0 for the total */
	const char *name; /* the name of the task or the cgroup; "": unknown */
	uint64_t events;  /* begins and ends of calls, and events of other kinds */
	double share;     /* share of the events of all groups, 0 to 1 */
	uint64_t major_faults, minor_faults;
	uint64_t runtime_ns;
	struct trace_summary_call **calls; /* in the order in which they are shown */
	size_t n_calls;
};

struct trace_summary *trace_summary_new(enum trace_summary_mode mode);
void trace_summary_free(struct trace_summary *s);
DEFINE_FREEP(trace_summary)

enum trace_summary_mode trace_summary_mode(const struct trace_summary *s);

/*
 * Counts a call that has ended. A call whose begin was not seen has a duration of 0 ns, as in
 * Linux's perf. Of a call that has not ended, only its begin counts, as an event.
 */
void trace_summary_add(struct trace_summary *s, const struct trace_call *c);

/*
 * Adds counts from elsewhere for the call @c->nr of group @id. @name is NULL if it is unknown.
 * @c->name may be NULL. Events are not counted.
 */
void trace_summary_merge(struct trace_summary *s, uint64_t id, const char *name,
			 const struct trace_summary_call *c);

/*
 * Returns the group @id, which is made if it does not exist; in mode TRACE_SUMMARY_TOTAL the only
 * one. The caller may add to its events, faults and run time. @name: as above.
 */
struct trace_summary_group *trace_summary_group(struct trace_summary *s, uint64_t id,
						const char *name);

/*
 * Counts another event of @task. Page faults have counts of their own. If @task is NULL, it is
 * unknown, and the event only counts in the total.
 */
void trace_summary_sample(struct trace_summary *s, const struct session_sample *sample,
			  const struct trace_task *task);

/* Adds the run time of each of the tasks. */
void trace_summary_runtimes(struct trace_summary *s, struct trace_tasks *tasks);

/*
 * Sorts everything into the order in which it is shown: groups with fewer events first, calls that
 * took more time first. The result is valid until the next call is added.
 */
struct trace_summary_group **trace_summary_groups(struct trace_summary *s, size_t *ret_n);

/* A call of a group. */
struct trace_summary_line {
	const struct trace_summary_group *group;
	const struct trace_summary_call *call;
};

/*
 * Finds the @max calls of all groups that took the most time, sorted by descending time. Returns
 * the total number of calls.
 */
size_t trace_summary_top(struct trace_summary *s, struct trace_summary_line *ret, size_t max);

/* Returns the duration that @share (0 to 1) of the calls do not exceed, estimated from the rows. */
uint64_t trace_summary_quantile(const struct trace_summary_call *c, double share);
