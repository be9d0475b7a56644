/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A profile as JSON: how it was made, and its samples with names for their addresses, in the form
 * of `perf data convert --to-json` (linux-perf-json-version 1).
 *
 * Strings are valid UTF-8 whatever the profile contains, numbers are exact integers.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "session/consumer.h"

struct data_json;
struct sample_filter;

struct data_json_options {
	FILE *out;
	struct session *session;
	const struct sample_filter *filter; /* a filter for times; NULL: all samples */
	bool all;        /* write all members of a sample, and records that are not samples */
	bool wall_clock; /* times are those of the wall clock, in nanoseconds since 1970 */
};

/*
 * Makes the converter. Everything in @o is borrowed, and so is @diag, which also receives later
 * errors. -EINVAL: the wall clock is not known.
 */
int data_json_new(const struct data_json_options *o, struct data_json **ret, struct diag *diag);
void data_json_free(struct data_json *j);
DEFINE_FREEP(data_json)

/*
 * Reads the profile and writes it. -EIO: it could not be written; -EINVAL: as above, for a stream;
 * other errors are those of session_feed().
 */
int data_json_write(struct data_json *j);

/* Returns the errno of writing, if that failed with -EIO; or 0. */
int data_json_write_error(const struct data_json *j);

/* Returns how many samples there were. */
uint64_t data_json_samples(const struct data_json *j);
