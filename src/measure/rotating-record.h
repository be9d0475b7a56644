/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs a `perf record` child that begins a new file at intervals, for callers that take the files
 * as they become complete.
 *
 * Files that an earlier recording left in the folder, because it or the machine died, are handed
 * out first. The child ends with us, however we end. Ctrl-C, SIGTERM and SIGHUP end the child, and
 * then the caller's loop.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct rotating_record;

struct rotating_request {
	const char *folder; /* exists, and is used by nothing else */
	int64_t every;      /* in seconds */
	char *const *words; /* more options for record, and a workload; NULL-terminated */
};

int rotating_start(const struct rotating_request *rq, struct rotating_record **ret,
		   struct diag *diag);
void rotating_free(struct rotating_record *c);
static inline void rotating_freep(struct rotating_record **c)
{
	rotating_free(*c);
}

/*
 * Returns the path of the oldest complete recording, which the caller frees and removes; NULL:
 * there is none.
 */
char *rotating_next(struct rotating_record *c);

/* Waits for something to happen, for at most @ms. Returns false if the recording has ended. */
bool rotating_wait(struct rotating_record *c, int ms);

/* True if a signal has come that ends the recording. The child has then been told to end. */
bool rotating_is_asked(struct rotating_record *c);

/* Returns the exit status of the recording, once it has ended. @ret_asked: a signal ended it. */
int rotating_status(const struct rotating_record *c, bool *ret_asked);
