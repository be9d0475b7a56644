/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is yet to be sent to a store: a folder of parcels, which outlives the process and the
 * machine.
 *
 * A parcel is added under another name first, so that it is there whole or not at all, also after
 * the machine lost its power. It goes only after the store has said that it has the rows; one that
 * was sent and not removed is sent again, and counts once. Of several processes one sends, all may
 * add: who adds tries to take the queue afterwards, and who sends looks once more after giving it
 * back, so that no parcel is left alone.
 *
 * A parcel that cannot be read, or that the store refuses while it takes others, is set aside: it
 * gets another name, and stays in the folder, where it counts as the others do for the limit.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct diag;
struct fleet_data;
struct fleet_queue;

/* Opens the queue of the store @target below @folder, which is made if it is not there. */
int fleet_queue_open(const char *folder, const char *target, struct fleet_queue **ret,
		     struct diag *diag);
void fleet_queue_close(struct fleet_queue *q);
static inline void fleet_queue_closep(struct fleet_queue **q)
{
	fleet_queue_close(*q);
}

/* Takes it, to send. False: another process has it, or this one had it already. */
bool fleet_queue_take(struct fleet_queue *q);
void fleet_queue_give_back(struct fleet_queue *q);

/* The folder of the parcels; what else is put there is left alone. */
const char *fleet_queue_folder(const struct fleet_queue *q);

int fleet_queue_add(struct fleet_queue *q, const struct fleet_data *d, struct diag *diag);

/* How many parcels wait. */
size_t fleet_queue_length(const struct fleet_queue *q);

/*
 * Removes the oldest parcels until all are at most @bytes. Only who has taken the queue may do so.
 * Returns how many were lost.
 */
size_t fleet_queue_limit(struct fleet_queue *q, uint64_t bytes);

/* What became of parcels. */
struct fleet_sent {
	struct fleet_receipt receipt;
	size_t n_damaged, n_refused; /* set aside */
	char *refusal;               /* why the first of these was; or NULL. The caller frees it */
};

/*
 * Sends all parcels, the oldest first, and adds to @sent. Errors are those of the store: -EAGAIN,
 * -EINTR at once; others if the store took none of the parcels, which all stay then.
 */
int fleet_queue_send(struct fleet_queue *q, struct fleet_store *s, struct fleet_sent *sent,
		     struct diag *diag);
