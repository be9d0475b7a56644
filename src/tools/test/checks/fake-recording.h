/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording whose every sample is known, written without the kernel, so that its evaluation is
 * the same on every machine.
 *
 * Process 100 is `perf`, process 200 is `bash` with a thread 201 with the name `worker`. Files with
 * these names are mapped, and libc in all of them. The files do not exist, so nothing has symbols.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;

/* One kind of sample: @n of them, each with @period. */
struct fake_samples {
	uint32_t pid, tid;
	uint64_t ip;
	uint64_t callers[3]; /* innermost first, terminated by 0 */
	unsigned n;
	uint64_t period;
};

/* The addresses at which the files are mapped. */
#define FAKE_PROGRAM 0x400000ULL
#define FAKE_LIBC    0x7f0000000000ULL
#define FAKE_SIZE    0x100000ULL
#define FAKE_JIT     0x500000ULL

/* The time of the first record. */
#define FAKE_FIRST_NS 1000000000ULL

struct fake_recording {
	const struct fake_samples *samples;
	unsigned n;
	const char *jit_dump; /* absolute path of a jit-100.dump mapped by process 100, or NULL */
	bool no_sample_ids;   /* only samples have a time: attr.sample_id_all is 0 */
};

/* Writes the recording to @path. Returns a negative errno with @diag. */
int fake_recording_write(const char *path, const struct fake_recording *f, struct diag *diag);
