/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * --threads: each drain empties its rings in a thread of its own.
 */
#include <stddef.h>

struct record_drain;
struct record_thread;

struct record_threads {
	struct record_thread *items;
	size_t n;
	int stop_fd; /* makes the threads end */
	int news_fd; /* readable when one has seen a source end, or has failed */
};

#define RECORD_THREADS_NONE                                                                        \
	{                                                                                          \
		.stop_fd = -1, .news_fd = -1                                                       \
	}

/* Starts one thread for each of the @n drains, which must not be touched until the end. */
int record_threads_start(struct record_threads *t, struct record_drain *drains, size_t n);

/*
 * Returns 0, or the error of a thread that has failed. *@ret_sources: the remaining sources of all
 * rings.
 */
int record_threads_look(struct record_threads *t, size_t *ret_sources);

/* Ends the threads; the drains belong to the caller again. Returns their first error, or 0. */
int record_threads_stop(struct record_threads *t);
