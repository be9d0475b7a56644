/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Delivers raw records, in order of time or in any order, before samples are decoded. Private to
 * session/; other code uses session/consumer.h.
 */
#include "session/session.h"
#include "session/sink.h"

/*
 * Hands all records to @sink. Returns a negative errno: that of the sink, or of a stream that
 * broke.
 */
int session_deliver(struct session *s, const struct session_sink *sink, struct diag *diag);

/*
 * Takes a pass over ring buffers: @size bytes of whole records, which must stay valid until the
 * next pass. Records that are not newer than the previous pass go to @sink; with NULL only the
 * side-band is applied. Returns the sink's result.
 */
int session_deliver_pass(struct session *s, const struct session_sink *sink, const uint8_t *bytes,
			 size_t size);

/* Hands out the remaining records after the last pass. */
int session_deliver_rest(struct session *s, const struct session_sink *sink);

struct unordered_sink {
	/*
	 * Takes @n samples that are consecutive in the file. Called from several threads; @worker
	 * is the number of the caller. Return < 0 to stop with that error, > 0 to stop; other
	 * threads may still be in their calls then.
	 */
	int (*samples)(void *arg, unsigned worker, const struct delivered *items, size_t n);
	bool is_costly; /* as in struct consumer */
	void *arg;
};

/*
 * Hands the samples of a file, and nothing else, to @sink, in any order, on several threads of @w
 * (NULL: on the caller's thread, as number 0). The side-band is complete before the first sample:
 * session_scan() is called first. Returns a negative errno: that of the sink or of session_scan().
 */
int session_deliver_unordered(struct session *s, struct workers *w,
			      const struct unordered_sink *sink, struct diag *diag);
