/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Data that waits to be sent to a store: a folder of parcels, which outlives the process and the
 * machine.
 *
 * A parcel is written under another name first, so that it exists either completely or not at all,
 * even after a power failure. It is removed only after the store has confirmed the rows; one that
 * was sent and not removed is sent again, and counts once. Of several processes one sends, but all
 * may add. A process that adds tries to take the queue afterwards, and a process that sends checks
 * once more after giving it back, so that no parcel is left over.
 *
 * A parcel that cannot be read, or that the store refuses while it accepts others, is set aside: it
 * gets another name, and stays in the folder, where it counts towards the limit like the others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct diag;
struct fleet_data;
struct fleet_queue;

/* Opens the queue of the store @target below @folder, which is made if it does not exist. */
int fleet_queue_open(const char *folder, const char *target, struct fleet_queue **ret,
		     struct diag *diag);
void fleet_queue_close(struct fleet_queue *q);
static inline void fleet_queue_closep(struct fleet_queue **q)
{
	fleet_queue_close(*q);
}

/*
 * Takes the queue, to send. Returns false if another process has it, or if this one had it already.
 */
bool fleet_queue_take(struct fleet_queue *q);
void fleet_queue_give_back(struct fleet_queue *q);

/* Returns the folder of the parcels; other files in it are ignored. */
const char *fleet_queue_folder(const struct fleet_queue *q);

int fleet_queue_add(struct fleet_queue *q, const struct fleet_data *d, struct diag *diag);

/* Returns how many parcels wait. */
size_t fleet_queue_length(const struct fleet_queue *q);

/*
 * Removes the oldest parcels until all together have at most @bytes. Only the process that has
 * taken the queue may do so. Returns how many were lost.
 */
size_t fleet_queue_limit(struct fleet_queue *q, uint64_t bytes);

/* The result of sending parcels. */
struct fleet_sent {
	struct fleet_receipt receipt;
	size_t n_damaged, n_refused; /* set aside */
	/* why the first of these was refused; or NULL; the caller frees it */
	char *refusal;
};

/*
 * Sends all parcels, the oldest first, and adds to @sent. Errors are those of the store: -EAGAIN,
 * -EINTR immediately; others if the store accepted none of the parcels, all of which then stay.
 */
int fleet_queue_send(struct fleet_queue *q, struct fleet_store *s, struct fleet_sent *sent,
		     struct diag *diag);
