/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A profile as JSON: how it was made, and its samples with names for their addresses, in the form
 * of `perf data convert --to-json` (linux-perf-json-version 1).
 *
 * Strings are valid UTF-8 whatever the profile has in them, numbers are exact integers.
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
	const struct sample_filter *filter; /* of times; NULL: all samples */
	bool all;        /* also what a sample has besides, and the records that are no samples */
	bool wall_clock; /* times are those of the wall clock, in nanoseconds since 1970 */
};

/*
 * Everything in @o is borrowed, and so is @diag, which gets what goes wrong later, too. -EINVAL:
 * nobody knows the wall clock.
 */
int data_json_new(const struct data_json_options *o, struct data_json **ret, struct diag *diag);
void data_json_free(struct data_json *j);
DEFINE_FREEP(data_json)

/*
 * Reads the profile and writes it. -EIO: it could not be written; -EINVAL: as above, of a stream;
 * others are those of session_feed().
 */
int data_json_write(struct data_json *j);

/* If writing failed with -EIO: the errno of it; or 0. */
int data_json_write_error(const struct data_json *j);

/* How many samples there were. */
uint64_t data_json_samples(const struct data_json *j);
