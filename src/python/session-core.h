/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording to which Python objects refer: the session and the sources of its names.
 *
 * Samples hold a reference to it, so that they can be queried after the session object is gone. It
 * refers to no Python objects except the texts of its filter, so there are no cycles through
 * samples. References are counted under the GIL.
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
	struct call_chain chain; /* used by one lookup at a time */
};

/* Makes an object that takes over the contents of @choice. */
struct session_core *session_core_new(struct reading_choice *choice);
struct session_core *session_core_ref(struct session_core *c);
void session_core_unref(struct session_core *c);
#endif
