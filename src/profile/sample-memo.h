/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples that are the same but for their time and period, which come again and again: where the
 * first of them was added, the others are. Belongs to one thread.
 *
 * A sample is known by a digest of its record, of its event and of its task. Two samples with the
 * same digest would be taken for one, with the odds of stack_key().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session_sample;
struct span;
struct sample_place;

struct sample_memo {
	uint64_t seed;               /* of base/hash.h */
	struct sample_place *places; /* a hash table, in which new ones displace old ones */
	size_t n, room;              /* room is a power of two */
	unsigned asked, found;       /* of the last samples */
	unsigned rest;               /* so many samples are not looked for */
};

void sample_memo_init(struct sample_memo *m);
void sample_memo_done(struct sample_memo *m);

/* Nothing that is known holds any more. */
void sample_memo_forget(struct sample_memo *m);

/*
 * Whether the next sample is worth being looked for: while few are found, only some are looked for.
 * To be called once for each.
 */
bool sample_memo_pays(struct sample_memo *m);

/* The digest of @s; @spaces and @comm tell apart what the record does not say. Never 0. */
uint64_t sample_memo_digest(const struct sample_memo *m, const struct session_sample *s,
			    uint64_t spaces, const char *comm);

/* Where the sample with @digest belongs at @time. False: unknown. */
bool sample_memo_find(struct sample_memo *m, uint64_t digest, uint64_t time, uint32_t *ret_node);

/* From now on samples with @digest belong to @node, at times of @span. */
void sample_memo_keep(struct sample_memo *m, uint64_t digest, uint32_t node,
		      const struct span *span);
