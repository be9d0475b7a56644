/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A filter on samples (event/data-filter.h) that the kernel obeys: a BPF program at the events.
 *
 * Whoever may load programs has one of his own for each filter. Others use the one that root has
 * pinned for them (bpf_sample_filter_pin()): it finds the filter of an event by the event's id in a
 * map that everybody may write to, so users can see and disturb each other's filters, not samples.
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "event/data-filter-types.h"

struct bpf_sample_filter;
struct diag;

/* Where the shared program and its maps are pinned. */
#define BPF_SAMPLE_FILTER_DIR "/sys/fs/bpf/perf_filter"

/*
 * Gets a program ready that obeys @items. A negative errno with @diag: this kernel or user cannot,
 * or a term needs a newer kernel.
 */
int bpf_sample_filter_new(const struct data_filter_items *items, struct bpf_sample_filter **ret,
			  struct diag *diag);
void bpf_sample_filter_free(struct bpf_sample_filter *f);
DEFINE_FREEP(bpf_sample_filter)

/* Filters the samples of the event @fd with the id @id, called @name. Errors with @diag. */
int bpf_sample_filter_attach(struct bpf_sample_filter *f, int fd, uint64_t id, const char *name,
			     struct diag *diag);

/* How many samples were filtered out so far. */
uint64_t bpf_sample_filter_dropped(const struct bpf_sample_filter *f);

/*
 * Pins a program for ordinary users, or removes it. -ENOENT: there is none; -EEXIST: there is one
 * already; with @diag.
 */
int bpf_sample_filter_pin(struct diag *diag);
int bpf_sample_filter_unpin(struct diag *diag);
