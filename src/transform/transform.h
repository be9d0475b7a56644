/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One change to a recording on its way to a writer.
 *
 * Transforms form a chain. Each takes records in their turn and passes on what shall follow: the
 * record, another in its place, more of them, or nothing. What it passes on need not live longer
 * than the call. The last one writes (transform/output.h).
 *
 * Records are in our byte order, whatever that of the recording is.
 */
#include <stdint.h>

#include "session/session.h"

struct record;
struct transform;

struct transform_kind {
	/* The next record. Negative: an errno that ends the work. */
	int (*take)(struct transform *t, const struct delivered *d);
	/* There are no more: what was held back is passed on now. NULL: nothing ever is. */
	int (*end)(struct transform *t);
	/* How samples are laid out from here on, if that changes; or NULL. */
	void (*attr)(const struct transform *t, struct attr *attr);
};

struct transform {
	const struct transform_kind *kind;
	struct transform *next; /* NULL: it is the last */
};

/* Hands @d to whoever follows @t. */
static inline int transform_pass(const struct transform *t, const struct delivered *d)
{
	return t->next->kind->take(t->next, d);
}

/* Whether @d is a sample of a known event; decoded to *@ret, unless it is malformed. */
bool transform_sample(const struct delivered *d, struct sample *ret);

/*
 * Hands on a record that was not in the recording: @r as bytes, with the trailer that the event @e
 * asks for (NULL: one of perf's own). -EMSGSIZE: it does not fit into a record.
 */
int transform_pass_record(const struct transform *t, const struct record *r,
			  const struct session_event *e);

/* Makes of @attr what the transforms from @first on do. */
void transform_attr(const struct transform *first, struct attr *attr);

/* Tells all from @first on that there are no more records. */
int transform_end(struct transform *first);
