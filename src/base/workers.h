/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A few threads that share out pieces of work.
 *
 * The caller is one of them, and the other threads are made when there are several pieces for the
 * first time: workers that are not needed cost nothing. One job at a time.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct workers;

/* @n threads, the caller included; 0: one for each CPU this process may use, but at most @most. */
struct workers *workers_new(unsigned n, unsigned most);
void workers_free(struct workers *w);
DEFINE_FREEP(workers)

/* How many work at once, at most. */
unsigned workers_count(const struct workers *w);

/*
 * Calls @fn for every piece 0 to @pieces - 1, each once, on any thread; returns when all are done.
 * @worker is the number of the thread, below workers_count().
 */
void workers_run(struct workers *w, size_t pieces,
		 void (*fn)(void *arg, size_t piece, unsigned worker), void *arg);
