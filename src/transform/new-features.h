/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The features of a rewritten recording: those of the old one, except those that describe how the
 * old file was written, and those that the new records change.
 */
#include <stdint.h>

#include "datafile/features.h"

struct known_build_ids;
struct session;
struct transform;

struct new_features {
	struct features all;                 /* lends from the old features and from the own ones */
	struct features own;                 /* event_descs, build_ids and auxtrace, no others */
	const struct known_build_ids *known; /* which win over those in the file; or NULL */
};

void new_features_done(struct new_features *n);

/*
 * Fills in n->all from @old, with attrs as the chain @first makes them. It is good as long as
 * @old does not change, and may be filled in again then.
 */
void new_features_fill(struct new_features *n, const struct features *old,
		       const struct transform *first);

/*
 * Adds the events whose samples @s decodes from hardware traces, of which the old features know
 * nothing. After each new_features_fill().
 */
void new_features_decoded(struct new_features *n, const struct session *s);

/* Adds an image's build-id, unless it is there. */
void new_features_build_id(struct new_features *n, const struct build_id_entry *e);

/* An AUXTRACE record of @size bytes, what follows it included, has been written at @offset. */
void new_features_auxtrace(struct new_features *n, uint64_t offset, uint64_t size);
