/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The filter for samples: by time, CPU, task, name, place.
 *
 * All conditions that are set must be true. Lists of names are "a,b", where file://NAME stands for
 * the lines of a file.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct cpu_list;
struct diag;
struct sample_filter;
struct location;
struct sample;

struct time_span {
	uint64_t from_ns, to_ns; /* both ends are included */
};

/* A request of all zeros lets everything pass. */
struct sample_filter_request {
	const struct time_span *spans;
	size_t n_spans;
	const struct cpu_list *cpus; /* NULL or empty: all CPUs */
	const int *pids, *tids;
	size_t n_pids, n_tids;
	const char *comms, *symbols, *dsos;
	bool without_host, without_guests;
	uint64_t addr_range; /* addresses in @symbols begin a range of this many bytes */
};

/*
 * Parses the lists of @f. Its arrays are borrowed, but not @f itself. Errors: those of reading a
 * file://, with @diag.
 */
int sample_filter_new(const struct sample_filter_request *f, struct sample_filter **ret,
		      struct diag *diag);
void sample_filter_free(struct sample_filter *f);
DEFINE_FREEP(sample_filter)

/*
 * True if there is a condition on times or CPUs, so that sample_filter_passes_moment() may return
 * false.
 */
bool sample_filter_has_moments(const struct sample_filter *f);

/* True if a record of that time (0: not known, which passes) and CPU passes. */
bool sample_filter_passes_moment(const struct sample_filter *f, uint64_t time, uint32_t cpu);

/* True if a record of that thread passes. */
bool sample_filter_passes_task(const struct sample_filter *f, uint32_t pid, uint32_t tid);

/* True if a sample passes that was taken in the mode of @misc: on the host, or in a guest. */
bool sample_filter_passes_mode(const struct sample_filter *f, uint16_t misc);

/* True if a sample of a thread with that name passes. */
bool sample_filter_passes_comm(const struct sample_filter *f, const char *comm);

/* True if there is a condition on places, so that sample_filter_passes_place() must be called. */
bool sample_filter_has_places(const struct sample_filter *f);

/*
 * True if the filter chooses images at all; and true if a sample in the image of @loc passes,
 * whatever its function is.
 */
bool sample_filter_has_images(const struct sample_filter *f);
bool sample_filter_passes_image(const struct sample_filter *f, const struct location *loc);

/* True if a sample at @loc, whose symbol was looked up, passes. */
bool sample_filter_passes_place(const struct sample_filter *f, const struct location *loc);

/* Returns the name in @list; NULL: there is no list, or it has more than one name. */
const char *sample_filter_only_name(const char *list);
