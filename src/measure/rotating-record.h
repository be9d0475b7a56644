/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A `perf record` beside us that begins a new file every so often, for those who take the files as
 * they get complete.
 *
 * What an earlier one left in the folder, because it or the machine died, is handed out first. The
 * child ends with us, however we end. Ctrl-C, SIGTERM and SIGHUP end it, and then the loop of the
 * caller.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct rotating_record;

struct rotating_request {
	const char *folder; /* is there, and is ours alone */
	int64_t every;      /* seconds */
	char *const *words; /* more options of record, and a workload; NULL-terminated */
};

int rotating_start(const struct rotating_request *rq, struct rotating_record **ret,
		   struct diag *diag);
void rotating_free(struct rotating_record *c);
static inline void rotating_freep(struct rotating_record **c)
{
	rotating_free(*c);
}

/* The path of the oldest complete recording, which the caller frees and removes; NULL: none. */
char *rotating_next(struct rotating_record *c);

/* Waits for something to happen, at most @ms. False: the recording has ended. */
bool rotating_wait(struct rotating_record *c, int ms);

/* Whether a signal came that ends it, which it has been told then. */
bool rotating_is_asked(struct rotating_record *c);

/* Once it has ended: its exit status. @ret_asked: a signal ended it. */
int rotating_status(const struct rotating_record *c, bool *ret_asked);
