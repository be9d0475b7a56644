/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A consumer of records in place of the file: it makes other records of them and writes those. The
 * consumer may lag the rings by one drain pass.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

struct writer;

struct record_sink {
	/* Gets the synthesised records that precede the first record of the kernel. */
	void (*tell)(void *arg, const void *records, size_t size);
	/* Records go into @w from now on. Only after settle(). */
	void (*write_to)(void *arg, struct writer *w);
	/* Takes whole records of a ring, in two pieces, which are valid during the call only. */
	void (*take)(void *arg, const struct iovec pieces[2]);
	/* All rings have been emptied once. A negative errno of the writer. */
	int (*end_pass)(void *arg);
	/*
	 * Waits until all that can be written is written; with @last, everything. Nothing is
	 * written afterwards until the next take(). Errors as above.
	 */
	int (*settle)(void *arg, bool last);
	void *arg;
};
