/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Histograms that the kernel counts by a BPF program: of a tracepoint's field, or of how long pairs
 * of events take.
 *
 * Row 0 has what is below the first bound, row i what is at or above bound i - 1 and below bound i,
 * the last row all the rest.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "bpf/hist-types.h"
#include "bpf/targets.h"
#include "tracepoint/field.h"

struct bpf_hist;
struct diag;
struct event;
struct event_env;

struct bpf_hist_pairs {
	/* hist_rule.event is an index in @events. */
	struct hist_rule rules[HIST_RULES_MAX];
	const struct event *events[HIST_RULES_MAX];
	uint32_t n_rules, n_events;
	uint32_t n_keys;     /* that choose a begin */
	uint32_t n_compared; /* that have to be the same once it is chosen */
	bool skips_zero, key_is_task;
};

struct bpf_hist_request {
	struct event_env *env;
	struct bpf_targets targets;
	const int64_t *bounds; /* ascending, at most HIST_BOUNDS_MAX; of pairs in nanoseconds */
	size_t n_bounds;
	/* What is counted: a field of an event, or without it pairs. */
	const struct event *event;
	struct field_ref field;
	const struct bpf_hist_pairs *pairs;
	bool is_function; /* the events of pairs are probes in a function, and no tracepoints */
	bool sums_up;     /* bpf_hist_sums() will be called */
};

struct bpf_hist_losses {
	uint64_t tasks;  /* that could not be followed: no room */
	uint64_t begins; /* of pairs: no room */
	uint64_t events; /* that came while a program was running on their CPU */
};

/*
 * Loads the program and begins to count. -EOPNOTSUPP: BPF cannot do this here, for a reason that is
 * no failure; other errors: the kernel refuses. @diag says why.
 */
int bpf_hist_begin(const struct bpf_hist_request *rq, struct bpf_hist **ret, struct diag *diag);

/* Ends counting. */
void bpf_hist_free(struct bpf_hist *h);
DEFINE_FREEP(bpf_hist)

/* The counts of all n_bounds + 1 rows since the begin. Errors with @diag. */
int bpf_hist_read(const struct bpf_hist *h, uint64_t *ret, struct diag *diag);

/* How many pairs there were, how long they took in all, and the shortest and longest. As above. */
int bpf_hist_sums(const struct bpf_hist *h, struct hist_sums *ret, struct diag *diag);

/* What is missing in the counts. Errors with @diag. */
int bpf_hist_losses(const struct bpf_hist *h, struct bpf_hist_losses *ret, struct diag *diag);
