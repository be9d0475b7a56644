/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sends profiles: a recording, or recordings that are made from minute to minute.
 *
 * Rows go to a queue on the disk first (store/queue.h), and from there to the store, so that
 * nothing is lost while the store is unavailable. A store that is a file of this machine needs no
 * queue.
 */
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "tools/push/fleet-rows-work.h"

struct diag;
struct fleet_url;
struct notes;

/* A request. Its texts are borrowed. */
struct push_request {
	const struct fleet_url *to;
	const char *queue;    /* a folder; NULL: the default one */
	uint64_t queue_bytes; /* the maximum size; the oldest data is dropped first */
	int64_t wait;         /* the seconds to retry while the store is unavailable */
	struct fleet_rows_request rows;
};

/*
 * Reads the recording and sends it. Returns -EAGAIN with @diag if the store is unavailable; the
 * recording then waits in the queue.
 */
int push_recording(const struct push_request *rq, struct notes *notes, struct fleet_receipt *ret,
		   struct diag *diag);

/*
 * Records, and sends the data of each interval of @every seconds, until a signal arrives or the
 * workload ends. @words are options of record. *@ret_status is the status of record.
 */
int push_every(const struct push_request *rq, int64_t every, char *const *words,
	       struct notes *notes, struct fleet_receipt *ret, int *ret_status, struct diag *diag);
