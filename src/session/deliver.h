/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records on their way out of the session, before anything is decoded; private to session/. Others
 * take them as consumers: session/consumer.h.
 */
#include "session/session.h"

struct session_sink {
	/*
	 * The next records in order of time, @n of them: kernel records, samples included. Those
	 * without a time come at once. Return < 0 to stop with that error; > 0 to stop.
	 */
	int (*batch)(void *arg, const struct delivered *items, size_t n);
	/* perf's own record (type >= 64), as it is read; or NULL. */
	int (*user)(void *arg, const struct delivered *d);
	void *arg;
};

/* Hands all records to @sink. A negative errno: what the sink said, or a stream that broke. */
int session_deliver(struct session *s, const struct session_sink *sink, struct diag *diag);

/*
 * Takes in what a pass over ring buffers gave, @size bytes of whole records, which stay until the
 * next pass has been taken in. To @sink goes what is not newer than the pass before; NULL: to
 * nobody, only the side-band counts. Results as of the sink.
 */
int session_deliver_pass(struct session *s, const struct session_sink *sink, const uint8_t *bytes,
			 size_t size);

/* There are no more passes, or nothing older comes: hands out what is left. */
int session_deliver_rest(struct session *s, const struct session_sink *sink);

struct unordered_sink {
	/*
	 * Samples, @n of them, which follow one another in the file. Called from several threads:
	 * @worker is the number of the one that calls. Return < 0 to stop with that error, > 0 to
	 * stop; others may be in the middle of theirs then.
	 */
	int (*samples)(void *arg, unsigned worker, const struct delivered *items, size_t n);
	void *arg;
};

/*
 * Hands the samples of a file, and nothing else, to @sink, in any order and to several of @w at
 * once (NULL: the caller's thread alone, as number 0). The side-band is complete before the first
 * of them: session_scan() is called unless it was. A negative errno: what the sink said, or that of
 * session_scan().
 */
int session_deliver_unordered(struct session *s, struct workers *w,
			      const struct unordered_sink *sink, struct diag *diag);
