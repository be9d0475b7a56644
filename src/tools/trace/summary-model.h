/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How often each call was made, how long it took and how often it failed: by thread, by cgroup, or
 * in all.
 *
 * It is filled by calls (trace_summary_add()) or by what BPF programs have counted
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

/* Row i counts calls that took 2^i to 2^(i+1) - 1 ns; row 0 also those of 0 ns, the last row all
 * that took longer. */
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
	uint64_t id;      /* a tid or a cgroup's id; 0 in all */
	const char *name; /* the task's or the cgroup's; "": not known */
	uint64_t events;  /* begins and ends of calls, and events of other kinds */
	double share;     /* of the events of all groups, 0 to 1 */
	uint64_t major_faults, minor_faults;
	uint64_t runtime_ns;
	struct trace_summary_call **calls; /* as they are shown */
	size_t n_calls;
};

struct trace_summary *trace_summary_new(enum trace_summary_mode mode);
void trace_summary_free(struct trace_summary *s);
DEFINE_FREEP(trace_summary)

enum trace_summary_mode trace_summary_mode(const struct trace_summary *s);

/*
 * Counts a call that has ended. One whose begin was not seen took 0 ns, as perf has it. Of one that
 * has not ended only its begin counts, as an event.
 */
void trace_summary_add(struct trace_summary *s, const struct trace_call *c);

/*
 * Adds what was counted elsewhere for the call @c->nr of group @id. @name: NULL if it is not known.
 * @c->name may be NULL. Events are not counted.
 */
void trace_summary_merge(struct trace_summary *s, uint64_t id, const char *name,
			 const struct trace_summary_call *c);

/*
 * The group @id, which is made if it was not there; in mode TRACE_SUMMARY_TOTAL the only one. Its
 * events, faults and run time may be added to. @name: as above.
 */
struct trace_summary_group *trace_summary_group(struct trace_summary *s, uint64_t id,
						const char *name);

/*
 * Counts another event, of @task: page faults have counts of their own. NULL: nobody knows whose it
 * is, so it counts in total alone.
 */
void trace_summary_sample(struct trace_summary *s, const struct session_sample *sample,
			  const struct trace_task *task);

/* Adds how long each of the tasks ran. */
void trace_summary_runtimes(struct trace_summary *s, struct trace_tasks *tasks);

/*
 * Puts everything into the order in which it is shown: groups with fewer events first, calls that
 * took more time first. Valid until the next call is added.
 */
struct trace_summary_group **trace_summary_groups(struct trace_summary *s, size_t *ret_n);

/* A call of a group. */
struct trace_summary_line {
	const struct trace_summary_group *group;
	const struct trace_summary_call *call;
};

/*
 * The @max calls of all groups that took the most time, that of the most time first. Returns how
 * many calls there are in all.
 */
size_t trace_summary_top(struct trace_summary *s, struct trace_summary_line *ret, size_t max);

/* The duration that @share (0 to 1) of the calls do not exceed, estimated from the rows. */
uint64_t trace_summary_quantile(const struct trace_summary_call *c, double share);
