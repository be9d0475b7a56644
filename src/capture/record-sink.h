/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A consumer that takes records instead of the file, makes other records of them and writes those.
 * The consumer may lag the rings by one drain pass.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

struct writer;

struct record_sink {
	/* Receives the synthesised records that precede the first record of the kernel. */
	void (*tell)(void *arg, const void *records, size_t size);
	/* Makes the consumer write to @w from now on. Only after settle(). */
	void (*write_to)(void *arg, struct writer *w);
	/* Receives whole records of a ring, in two pieces, which are valid during the call only. */
	void (*take)(void *arg, const struct iovec pieces[2]);
	/* Called after all rings have been emptied once. Returns a negative errno of the writer. */
	int (*end_pass)(void *arg);
	/*
	 * Waits until everything that can be written is written; with @last, everything. Nothing is
	 * written afterwards until the next take(). Errors as above.
	 */
	int (*settle)(void *arg, bool last);
	void *arg;
};
