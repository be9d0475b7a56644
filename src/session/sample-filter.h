/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which samples count: by time, CPU, task, name, place.
 *
 * The conditions that are set must all hold. Lists of names are "a,b", where file://NAME stands for
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
	uint64_t from_ns, to_ns; /* both belong to it */
};

/* Zero is "everything". */
struct sample_filter_request {
	const struct time_span *spans;
	size_t n_spans;
	const struct cpu_list *cpus; /* NULL or empty: all */
	const int *pids, *tids;
	size_t n_pids, n_tids;
	const char *comms, *symbols, *dsos;
	bool without_host, without_guests;
	uint64_t addr_range; /* addresses in @symbols begin a range of so many bytes */
};

/*
 * Parses the lists of @f, whose arrays are borrowed, and not @f itself. Errors: those of reading a
 * file://, with @diag.
 */
int sample_filter_new(const struct sample_filter_request *f, struct sample_filter **ret,
		      struct diag *diag);
void sample_filter_free(struct sample_filter *f);
DEFINE_FREEP(sample_filter)

/* Is there a condition on times or CPUs, so that sample_filter_passes_moment() may say no? */
bool sample_filter_has_moments(const struct sample_filter *f);

/* Whether a record of that time (0: not known, which passes) and CPU passes. */
bool sample_filter_passes_moment(const struct sample_filter *f, uint64_t time, uint32_t cpu);

/* Whether a record of that thread passes. */
bool sample_filter_passes_task(const struct sample_filter *f, uint32_t pid, uint32_t tid);

/* Whether a sample passes that was taken in the mode @misc says: on the host, or in a guest. */
bool sample_filter_passes_mode(const struct sample_filter *f, uint16_t misc);

/* Does a sample of a thread with that name pass? */
bool sample_filter_passes_comm(const struct sample_filter *f, const char *comm);

/* Is there a condition on places, so that sample_filter_passes_place() must be called? */
bool sample_filter_has_places(const struct sample_filter *f);

/*
 * Whether it chooses images at all; and whether a sample in that of @loc passes, whatever its
 * function is.
 */
bool sample_filter_has_images(const struct sample_filter *f);
bool sample_filter_passes_image(const struct sample_filter *f, const struct location *loc);

/* Whether a sample at @loc, symbol looked up, passes. */
bool sample_filter_passes_place(const struct sample_filter *f, const struct location *loc);

/* The name that @list has; NULL: there is no list, or one of more than a name. */
const char *sample_filter_only_name(const char *list);
