/* SPDX-License-Identifier: MIT */
#pragma once
/* The parts before and after the records of a file or stream, as bytes. Private to datafile/. */
#include <stddef.h>
#include <stdint.h>

#include "datafile/header.h"
#include "datafile/reader.h"

struct bytes;

/* The features that were already written before the data, with their places and contents. */
struct early_features {
	struct {
		struct file_section where; /* offset 0: not written */
		uint64_t hash;
	} of[FEATURE_MAX];
};

/*
 * Appends header, ids, attrs and the marked features of @early. Fills in @h, whose data has no size
 * yet and whose features are those of a checkpoint.
 */
void file_prologue_put(struct bytes *out, struct file_header *h, const struct file_event *events,
		       size_t n, const struct features *early, struct early_features *ret);

/* Appends a checkpoint: see datafile/feature-table.h. */
void checkpoint_put(struct bytes *out, const struct early_features *early);

/*
 * Appends the header of a stream and events, features and tracing data as records. Features that do
 * not fit into a record are left out. -EMSGSIZE: an event does not fit.
 */
int stream_prologue_put(struct bytes *out, const struct file_event *events, size_t n,
			const struct features *early);

/*
 * Appends the feature table, for offset @at, and the payloads of @f; those that equal @early are
 * not repeated. *@ret_bits are the feature bits for the header.
 */
void feature_table_put(struct bytes *out, uint64_t at, const struct features *f,
		       const struct early_features *early, uint64_t *ret_bits);
