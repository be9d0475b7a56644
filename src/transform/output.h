/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The end of a chain of transforms: writes what comes out of it, as a file or stream of its own.
 *
 * Events and features are those of the recording being read, as the transforms change them. A
 * stream begins with them, so nothing is written before that beginning has been read. Records that
 * only describe how the old file was written are left out.
 */
#include "base/cleanup.h"

#include <stdint.h>
#include "datafile/features.h"
#include "transform/transform.h"

struct diag;
struct known_build_ids;
struct output;
struct writer;

/*
 * Writes what becomes of @s to @w; both are borrowed. @known are build-ids that win over those the
 * recording lists (NULL: none do). @diag gets the reason when the chain ends with an error.
 */
struct output *output_new(const struct session *s, struct writer *w,
			  const struct known_build_ids *known, struct diag *diag);
void output_free(struct output *o);
DEFINE_FREEP(output)

/*
 * Puts it behind the last transform of the chain @first (NULL: there is none); returns the head of
 * the chain.
 */
struct transform *output_close_chain(struct output *o, struct transform *first);

/*
 * The features of a rewritten recording: those of the old one, except those that describe how the
 * old file was written, and those that the new records change.
 */

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
