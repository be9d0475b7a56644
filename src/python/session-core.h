/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording that Python objects refer to: the session and where its names come from.
 *
 * Samples keep it, so that they can be asked about after the session object is gone. It refers to
 * no Python object but the texts of its filter, so that there are no cycles through samples.
 * Counted under the GIL.
 */
#include "profile/recorded.h"
#include "python/reading.h"
#include "session/call-chain.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

struct session_core {
	unsigned refs;
	struct reading_choice choice;    /* the filter borrows from it */
	struct recorded_request request; /* borrows from @choice, and is borrowed by: */
	struct recorded recorded;
	struct symbolizer *symbolizer;
	struct call_chain chain; /* for one question at a time */
};

/* Takes over what is in @choice. */
struct session_core *session_core_new(struct reading_choice *choice);
struct session_core *session_core_ref(struct session_core *c);
void session_core_unref(struct session_core *c);
#endif
