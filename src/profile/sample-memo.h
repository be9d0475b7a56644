/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Remembers samples that differ only in time and period, and the node to which the first of them
 * was added. Belongs to one thread.
 *
 * A sample is identified by a digest of its record, of its event and of its task. Two samples with
 * the same digest would be taken for one, with the odds of stack_key().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session_sample;
struct span;
struct sample_place;

struct sample_memo {
	uint64_t seed;               /* for base/hash.h */
	struct sample_place *places; /* a hash table, in which new samples displace old ones */
	size_t n, room;              /* room is a power of two */
	unsigned asked, found;       /* counts for the last samples */
	unsigned rest;               /* this number of samples is not looked up */
	/*
	 * In samples of this type, the words from time_at to time_end and from period_at to
	 * period_end are no part of a digest: at most one each.
	 */
	uint64_t sample_type;
	size_t time_at, time_end, period_at, period_end;
};

void sample_memo_init(struct sample_memo *m);
void sample_memo_done(struct sample_memo *m);

/* Forgets all samples, because their nodes are not valid any more. */
void sample_memo_forget(struct sample_memo *m);

/*
 * True if the next sample is worth a lookup: while few are found, only some are looked up. To be
 * called once for each sample.
 */
bool sample_memo_pays(struct sample_memo *m);

/*
 * Returns the digest of @s; @spaces and @comm add differences that the record does not show. Never
 * 0.
 */
uint64_t sample_memo_digest(struct sample_memo *m, const struct session_sample *s, uint64_t spaces,
			    const char *comm);

/* Finds the node of the sample with @digest at @time. False: unknown. */
bool sample_memo_find(struct sample_memo *m, uint64_t digest, uint64_t time, uint32_t *ret_node);

/* Stores that samples with @digest belong to @node, at times of @span. */
void sample_memo_keep(struct sample_memo *m, uint64_t digest, uint32_t node,
		      const struct span *span);
