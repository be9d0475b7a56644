/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What stands before and behind the records of a file or stream, as bytes. Private to datafile/.
 */
#include <stddef.h>
#include <stdint.h>

#include "datafile/header.h"
#include "datafile/reader.h"

struct bytes;

/* Which features stand before the data already, where, and what was in them. */
struct early_features {
	struct {
		struct file_section where; /* offset 0: not there */
		uint64_t hash;
	} of[FEATURE_MAX];
};

/*
 * Appends header, ids, attrs and the marked ones of @early; fills in @h, whose data has no size yet
 * and whose features are those of a checkpoint.
 */
void file_prologue_put(struct bytes *out, struct file_header *h, const struct file_event *events,
		       size_t n, const struct features *early, struct early_features *ret);

/* Appends a checkpoint: see datafile/feature-table.h. */
void checkpoint_put(struct bytes *out, const struct early_features *early);

/*
 * Appends the header of a stream and events, features and tracing data as records. Features that
 * do not fit into a record are left out. -EMSGSIZE: an event does not.
 */
int stream_prologue_put(struct bytes *out, const struct file_event *events, size_t n,
			const struct features *early);

/*
 * Appends the feature table, to stand at offset @at, and the payloads of @f; those that are as they
 * were in @early are not repeated. *@ret_bits is what the header has to say.
 */
void feature_table_put(struct bytes *out, uint64_t at, const struct features *f,
		       const struct early_features *early, uint64_t *ret_bits);
