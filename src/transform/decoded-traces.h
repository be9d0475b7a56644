/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Removes hardware traces from a recording that has their samples now: the session decodes them
 * (session_options.traces), and their records are left out. transform/output adds their events.
 */
#include <stdbool.h>

#include "base/cleanup.h"

struct decoded_traces;
struct diag;
struct session;
struct transform;

struct decoded_traces_options {
	const struct session *session; /* borrowed */
	/* also remove data only used for decoding, and other samples */
	bool strip;
	struct diag *diag; /* the reason why the traces of a stream cannot be decoded */
};

struct decoded_traces *decoded_traces_new(const struct decoded_traces_options *o);
void decoded_traces_free(struct decoded_traces *t);
DEFINE_FREEP(decoded_traces)

struct transform *decoded_traces_transform(struct decoded_traces *t);
