/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of interpreted languages in the stacks of a recording: their frames become
 * addresses in images that the build-id cache gets when the recording ends (runtime/functions.h).
 */
#include <stddef.h>
#include <stdint.h>

#include "runtime/functions.h"
#include "wire/record.h"

struct attr;
struct bytes;
struct record_job;
struct record_taker;

/* Begins, if the request wants such frames: sets job->functions. */
void record_interpreted_begin(struct record_job *j);
void record_interpreted_end(struct record_job *j);

/*
 * Sets @to to the @n words of a user stack, with addresses in place of interpreted frames. A
 * mapping that this takes is recorded first, with @id as an event with @attr has it. @f NULL: there
 * are no such frames. A negative errno of @taker.
 */
int record_interpreted_translate(struct runtime_functions *f, enum runtime_stacks from,
				 const struct sample_id *id, const struct attr *attr,
				 const uint64_t *words, size_t n, const struct record_taker *taker,
				 struct runtime_addresses *to);

/* Returns 1 << enum runtime_kind of the languages whose functions were named. */
unsigned record_interpreted_named(const struct record_job *j);

/* Begins another file, in which the images of the functions are not mapped yet. */
void record_interpreted_begin_file(const struct record_job *j);

/* Puts the names into the build-id cache, if there are any. */
void record_interpreted_keep(const struct record_job *j);

/*
 * Reports for each language in one line how it went. @results: the native frames in the ranges of
 * its runtime, by what became of them.
 */
void record_interpreted_tell(const struct record_job *j,
			     const uint64_t results[RUNTIME_KINDS][RUNTIME_RESULTS]);
