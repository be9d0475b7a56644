/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One change to a recording on its way to a writer.
 *
 * Transforms form a chain. Each takes the records in order and passes on the resulting ones: the
 * record, another in its place, several, or none. A record that it passes on need not live longer
 * than the call. The last transform writes (transform/output.h).
 *
 * Records are in our byte order, whatever that of the recording is.
 */
#include <stdint.h>

#include "session/session.h"

struct record;
struct transform;

struct transform_kind {
	/* Takes the next record. Negative: an errno that ends the work. */
	int (*take)(struct transform *t, const struct delivered *d);
	/*
	 * Called when there are no more records, to pass on those that were held back. NULL: none
	 * ever are.
	 */
	int (*end)(struct transform *t);
	/* Changes the layout of samples from here on; or NULL. */
	void (*attr)(const struct transform *t, struct attr *attr);
};

struct transform {
	const struct transform_kind *kind;
	struct transform *next; /* NULL: it is the last one */
};

/* Passes @d to the transform after @t. */
static inline int transform_pass(const struct transform *t, const struct delivered *d)
{
	return t->next->kind->take(t->next, d);
}

/*
 * True if @d is a sample of a known event. It is decoded to *@ret; false also if it is malformed.
 */
bool transform_sample(const struct delivered *d, struct sample *ret);

/*
 * Passes on a record that was not in the recording: @r as bytes, with the trailer for the event @e
 * (NULL: a record of perf's own). -EMSGSIZE: it does not fit into a record.
 */
int transform_pass_record(const struct transform *t, const struct record *r,
			  const struct session_event *e);

/* Changes @attr as the transforms from @first on do. */
void transform_attr(const struct transform *first, struct attr *attr);

/* Notifies all transforms from @first on that there are no more records. */
int transform_end(struct transform *first);
