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
