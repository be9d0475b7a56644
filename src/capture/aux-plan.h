/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The needs of a recording with a hardware trace beyond its events: the event that writes an AUX
 * area (Intel PT and BTS, Arm SPE, CoreSight), the size of the area, the times at which it is read,
 * and additional facts for the reader.
 *
 * A trace contains addresses, not tasks or maps. Those come from the side-band of a separate dummy
 * event, which goes on while the trace is stopped for a snapshot. The attrs are those of Linux's
 * perf 6.1.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

struct diag;
struct event;
struct event_list;

/* The user's options. Texts are borrowed. */
struct aux_request {
	const char
		*snapshot;  /* -S: "", "e", a size or both; NULL: the trace is read all the time */
	const char *sample; /* --aux-sample: "" or a size; NULL: no */
	uint64_t pages;     /* -m ,PAGES; 0: not given */
};

struct aux_plan {
	enum auxtrace_type type; /* AUXTRACE_NONE: no event writes an AUX area */
	size_t bytes;            /* size of the area of each ring */
	bool snapshots;          /* the area is overwritten, and read on request */
	bool at_exit;            /* it is also read at the end */
	size_t snapshot_bytes;   /* at most this much of it is read; 0: all */
	bool samples;            /* its data is in samples; the area itself is never read */
	uint32_t sample_bytes;
};

/* The layout of the rings. */
struct aux_target {
	bool per_cpu;        /* a ring for each CPU, not for each thread */
	bool system;         /* CPUs are recorded, not tasks */
	bool may_watch;      /* the user may see the switches of all tasks */
	const char *devices; /* the directory of PMUs in sysfs */
};

/*
 * Finds the event that writes an AUX area and puts it before all others. @rq is checked even if
 * there is none. -EINVAL, -EOPNOTSUPP with @diag.
 */
int aux_plan_make(struct event_list *l, const struct aux_request *rq, struct aux_plan *ret,
		  struct diag *diag);

/* Completes the event's attr as the PMU requires. -EINVAL, -ENOENT (a sink) with @diag. */
int aux_plan_prepare(const struct aux_plan *p, struct event_list *l, const struct aux_target *t,
		     struct diag *diag);

/*
 * Returns the distance in bytes between two places where decoding Intel PT can begin, if it is too
 * large for the part of the trace that is kept; else 0.
 */
size_t aux_plan_too_sparse(const struct aux_plan *p, const struct event_list *l);

/* The dummy events that the side-band needs. */
struct aux_dummies {
	bool switches; /* one that sees the switches of all tasks of a CPU */
	bool pokes;    /* one that sees when the kernel changes its own code */
};

struct aux_dummies aux_plan_dummies(const struct aux_plan *p, const struct event_list *l,
				    const struct aux_target *t);

/*
 * Sets the contents of the samples and the side-band of the traced event, and of the dummy
 * @tracking that reports tasks and maps. To be called after the attrs are complete.
 */
void aux_plan_finish(const struct aux_plan *p, struct event_list *l, const struct aux_target *t,
		     size_t tracking);

/* Returns the name of a trace of @type in messages. */
const char *aux_plan_name(enum auxtrace_type type);
