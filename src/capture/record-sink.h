/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where records go instead of straight into the file: to somebody who makes others of them, on
 * their way, and writes those. He may be a pass behind.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

struct writer;

struct record_sink {
	/* What was there before the first record of the kernel, as synthesised. */
	void (*tell)(void *arg, const void *records, size_t size);
	/* Records go into @w from now on. Only after settle(). */
	void (*write_to)(void *arg, struct writer *w);
	/* What a ring gave: whole records in two pieces, which are the ring's again after it. */
	void (*take)(void *arg, const struct iovec pieces[2]);
	/* All rings have been emptied once. A negative errno of the writer. */
	int (*end_pass)(void *arg);
	/* Waits until what can be written is; with @last, all. Nobody writes then. As above. */
	int (*settle)(void *arg, bool last);
	void *arg;
};
