/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a recording with a hardware trace needs beyond its events: which event writes an AUX area
 * (Intel PT and BTS, Arm SPE, CoreSight), how large the area is, when it is read, and what the
 * reader has to be told besides.
 *
 * A trace tells addresses, not tasks or maps. Those come from the side-band of a dummy event of its
 * own, which goes on while the trace is stopped for a snapshot. The attrs are those of Linux's perf
 * 6.1.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

struct diag;
struct event;
struct event_list;

/* What was asked for. Texts are borrowed. */
struct aux_request {
	const char
		*snapshot;  /* -S: "", "e", a size or both; NULL: the trace is read all the time */
	const char *sample; /* --aux-sample: "" or a size; NULL: no */
	uint64_t pages;     /* -m ,PAGES; 0: unsaid */
};

struct aux_plan {
	enum auxtrace_type type; /* AUXTRACE_NONE: no event writes an AUX area */
	size_t bytes;            /* of the area of each ring */
	bool snapshots;          /* the area is overwritten and read when asked for, */
	bool at_exit;            /* and at the end, */
	size_t snapshot_bytes;   /* at most so much of it; 0: all */
	bool samples;            /* its data comes with samples; the area itself is never read */
	uint32_t sample_bytes;
};

/* How the rings are laid out. */
struct aux_target {
	bool per_cpu;        /* a ring for each CPU, not for each thread */
	bool system;         /* CPUs are recorded, not tasks */
	bool may_watch;      /* the user may see the switches of all tasks */
	const char *devices; /* of PMUs in sysfs */
};

/*
 * Finds the event that writes an AUX area and puts it before all others. @rq is checked even if
 * there is none. -EINVAL, -EOPNOTSUPP with @diag.
 */
int aux_plan_make(struct event_list *l, const struct aux_request *rq, struct aux_plan *ret,
		  struct diag *diag);

/* Completes what the PMU wants of the event's attr. -EINVAL, -ENOENT (a sink) with @diag. */
int aux_plan_prepare(const struct aux_plan *p, struct event_list *l, const struct aux_target *t,
		     struct diag *diag);

/*
 * How many bytes lie between two places where decoding Intel PT can begin, if that is more than
 * what is kept of it has room for; else 0.
 */
size_t aux_plan_too_sparse(const struct aux_plan *p, const struct event_list *l);

/* Which dummies the side-band needs. */
struct aux_dummies {
	bool switches; /* one that sees the switches of all tasks of a CPU */
	bool pokes;    /* one that sees when the kernel changes its own code */
};

struct aux_dummies aux_plan_dummies(const struct aux_plan *p, const struct event_list *l,
				    const struct aux_target *t);

/*
 * After the attrs are complete: what samples and side-band of the traced event, and of the dummy
 * @tracking that tells of tasks and maps, carry.
 */
void aux_plan_finish(const struct aux_plan *p, struct event_list *l, const struct aux_target *t,
		     size_t tracking);

/* What a trace of @type is called in messages. */
const char *aux_plan_name(enum auxtrace_type type);
