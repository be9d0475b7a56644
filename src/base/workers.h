/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A few threads that share pieces of work.
 *
 * The caller is one of them. The other threads are created when there are several pieces for the
 * first time, so workers that are not needed cost nothing. One job at a time.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct workers;

/*
 * Makes @n threads, the caller included; 0: one for each CPU that this process may use, but at most
 * @most.
 */
struct workers *workers_new(unsigned n, unsigned most);
void workers_free(struct workers *w);
DEFINE_FREEP(workers)

/* Returns the maximum number of threads that work at once. */
unsigned workers_count(const struct workers *w);

/*
 * Calls @fn once for every piece 0 to @pieces - 1, on any thread; returns when all are done.
 * @worker is the number of the thread, below workers_count().
 */
void workers_run(struct workers *w, size_t pieces,
		 void (*fn)(void *arg, size_t piece, unsigned worker), void *arg);
