/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The end of a chain of transforms: writes the resulting records to a file or stream of its own.
 *
 * Events and features are those of the recording being read, as changed by the transforms. A stream
 * begins with them, so nothing is written before the beginning of the recording has been read.
 * Records that only describe the way in which the old file was written are left out.
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
 * Makes an output that writes the transformed @s to @w; both are borrowed. @known are build-ids
 * that have priority over those in the recording (NULL: none). @diag gets the reason if the chain
 * ends with an error.
 */
struct output *output_new(const struct session *s, struct writer *w,
			  const struct known_build_ids *known, struct diag *diag);
void output_free(struct output *o);
DEFINE_FREEP(output)

/*
 * Puts it after the last transform of the chain @first (NULL: there is none). Returns the head of
 * the chain.
 */
struct transform *output_close_chain(struct output *o, struct transform *first);

/*
 * The features of a rewritten recording: those of the old one, except those that describe the way
 * in which the old file was written, and those that the new records change.
 */

struct session;
struct transform;

struct new_features {
	struct features all;                 /* borrows from the old features and from @own */
	struct features own;                 /* only event_descs, build_ids and auxtrace */
	const struct known_build_ids *known; /* have priority over those in the file; or NULL */
};

void new_features_done(struct new_features *n);

/*
 * Fills in n->all from @old, with attrs as changed by the chain @first. It is valid until @old
 * changes, and may then be filled in again.
 */
void new_features_fill(struct new_features *n, const struct features *old,
		       const struct transform *first);

/*
 * Adds the events of samples that @s decodes from hardware traces, which the old features do not
 * contain. It must be called after each new_features_fill().
 */
void new_features_decoded(struct new_features *n, const struct session *s);

/* Adds an image's build-id, unless it is there already. */
void new_features_build_id(struct new_features *n, const struct build_id_entry *e);

/*
 * Notes that an AUXTRACE record of @size bytes, including the data after it, was written at
 * @offset.
 */
void new_features_auxtrace(struct new_features *n, uint64_t offset, uint64_t size);
