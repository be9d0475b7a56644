/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A rule of a pair bound to an event: reads the key of a sample without looking at names.
 *
 * Requests of the block layer have two peculiarities, which are settled here for every key that has
 * a field `sector` beside a field `rwbs`:
 *
 * - A flush (rwbs "FF") has no sector. The kernel writes 0 or 2^64-1, and not the same when it is
 *   issued and when it completes. Its key is the device and the fact that it is a flush: each
 *   hardware queue has one at a time.
 * - Who asked for the flush is completed too, as a request of 0 sectors that was never issued. Its
 *   sector is that of its data, or 0. It ends no pair.
 */
#include <stdbool.h>
#include <stdint.h>

#include "pairs/pair-rule.h"
#include "tracepoint/field.h"

struct session_event;
struct session_sample;

struct pair_key_part {
	enum {
		PAIR_KEY_ABSENT,
		PAIR_KEY_NUMBER, /* of a field */
		PAIR_KEY_BYTES,  /* of a field: their hash */
		PAIR_KEY_TID,
		PAIR_KEY_PID,
		PAIR_KEY_CPU,
	} from;
	struct field_ref ref;
};

struct pair_side {
	enum pair_role role;
	unsigned n_keys;
	struct pair_key_part keys[PAIR_KEYS_MAX];
	struct field_ref when;
	uint64_t mask, value;
	bool is_conditional, skips_zero;
	int sector; /* which key is that of a block request; -1: none */
	struct field_ref rwbs, nr_sector;
};

enum pair_reading {
	PAIR_READ,
	PAIR_READ_FLUSH,
	PAIR_NOT_MEANT,  /* the rule is not about this record */
	PAIR_EMPTY,      /* a block request of 0 sectors */
	PAIR_UNREADABLE, /* the record ends before the key does */
};

/*
 * Binds @rule of @spec to @event, whose records are in the other byte order if @swap. A key that
 * the event lacks is PAIR_KEY_ABSENT and never read.
 */
struct pair_side pair_side_bind(const struct pair_spec *spec, const struct pair_rule *rule,
				const struct session_event *event, bool swap);

/* Reads the key of @s into @ret, which is filled up with 0. @seed is of base/hash.h. */
enum pair_reading pair_side_read(const struct pair_side *side, const struct session_sample *s,
				 uint64_t seed, uint64_t ret[PAIR_KEYS_MAX]);
