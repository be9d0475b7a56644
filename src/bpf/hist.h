/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Histograms that a BPF program counts in the kernel: of a tracepoint's field, or of the time
 * between pairs of events.
 *
 * Row 0 counts values below the first bound, row i those at or above bound i - 1 and below bound i,
 * and the last row all others.
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
	uint32_t n_keys;     /* keys that select a begin */
	uint32_t n_compared; /* keys that must be equal once a begin is selected */
	bool skips_zero, key_is_task;
};

struct bpf_hist_request {
	struct event_env *env;
	struct bpf_targets targets;
	const int64_t *bounds; /* ascending, at most HIST_BOUNDS_MAX; nanoseconds for pairs */
	size_t n_bounds;
	/* The quantity to count: a field of an event; without an event, pairs. */
	const struct event *event;
	struct field_ref field;
	const struct bpf_hist_pairs *pairs;
	bool is_function; /* the events of pairs are probes in a function, not tracepoints */
	bool sums_up;     /* bpf_hist_sums() will be called */
};

struct bpf_hist_losses {
	uint64_t tasks;  /* tasks not followed, for lack of space */
	uint64_t begins; /* begins of pairs, for lack of space */
	uint64_t events; /* events while a program was running on their CPU */
};

/*
 * Loads the program and begins to count. -EOPNOTSUPP: BPF cannot do this here, for a reason that is
 * not a failure; other errors: the kernel rejects it. @diag gives the reason.
 */
int bpf_hist_begin(const struct bpf_hist_request *rq, struct bpf_hist **ret, struct diag *diag);

/* Ends the counting and frees @h. */
void bpf_hist_free(struct bpf_hist *h);
DEFINE_FREEP(bpf_hist)

/* Reads the counts of all n_bounds + 1 rows since the beginning. Errors with @diag. */
int bpf_hist_read(const struct bpf_hist *h, uint64_t *ret, struct diag *diag);

/* Reads the number of pairs, their total time, and the shortest and longest. Errors with @diag. */
int bpf_hist_sums(const struct bpf_hist *h, struct hist_sums *ret, struct diag *diag);

/* Reads the losses of the counts. Errors with @diag. */
int bpf_hist_losses(const struct bpf_hist *h, struct bpf_hist_losses *ret, struct diag *diag);
