/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording that is known to the last sample, written without the kernel: what is read out of it
 * is the same on every machine.
 *
 * Process 100 is `perf`, process 200 `bash` with a thread 201 called `worker`. Files of that name
 * are mapped, and libc in all of them; there are no such files, so nothing has symbols.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;

/* One kind of sample: @n of them, each with @period. */
struct fake_samples {
	uint32_t pid, tid;
	uint64_t ip;
	uint64_t callers[3]; /* innermost first, up to a 0 */
	unsigned n;
	uint64_t period;
};

/* Where the files are mapped. */
#define FAKE_PROGRAM 0x400000ULL
#define FAKE_LIBC    0x7f0000000000ULL
#define FAKE_SIZE    0x100000ULL
#define FAKE_JIT     0x500000ULL

/* The first record's time. */
#define FAKE_FIRST_NS 1000000000ULL

struct fake_recording {
	const struct fake_samples *samples;
	unsigned n;
	const char *jit_dump; /* absolute path of a jit-100.dump that process 100 maps, or NULL */
	bool no_sample_ids; /* records other than samples carry no time: attr.sample_id_all is 0 */
};

/* Writes it to @path. A negative errno with @diag. */
int fake_recording_write(const char *path, const struct fake_recording *f, struct diag *diag);
