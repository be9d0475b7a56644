/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A filter on samples (event/data-filter.h) that the kernel applies: a BPF program at the events.
 *
 * A user who may load programs has a program for each filter. Others use the one that root has
 * pinned for them (bpf_sample_filter_pin()). It finds the filter of an event by the event's id in a
 * map to which all users may write, so users can see and disturb each other's filters, but not
 * samples.
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "event/data-filter-types.h"

struct bpf_sample_filter;
struct diag;

/* The directory in which the shared program and its maps are pinned. */
#define BPF_SAMPLE_FILTER_DIR "/sys/fs/bpf/perf_filter"

/*
 * Prepares a program that applies @items. Returns a negative errno with @diag: this kernel or user
 * cannot, or a term needs a newer kernel.
 */
int bpf_sample_filter_new(const struct data_filter_items *items, struct bpf_sample_filter **ret,
			  struct diag *diag);
void bpf_sample_filter_free(struct bpf_sample_filter *f);
DEFINE_FREEP(bpf_sample_filter)

/* Filters the samples of the event @fd with the id @id, called @name. Errors with @diag. */
int bpf_sample_filter_attach(struct bpf_sample_filter *f, int fd, uint64_t id, const char *name,
			     struct diag *diag);

/* Returns the number of samples filtered out so far. */
uint64_t bpf_sample_filter_dropped(const struct bpf_sample_filter *f);

/*
 * Pin or remove a program for ordinary users. -ENOENT: there is none; -EEXIST: there is one
 * already; with @diag.
 */
int bpf_sample_filter_pin(struct diag *diag);
int bpf_sample_filter_unpin(struct diag *diag);
