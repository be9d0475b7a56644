/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rules for which events begin and end a pair, and which begin and end belong together.
 *
 * A rule names an event, its role, and the fields of its records that are the key. A pair is a
 * begin and the next end with the same key: a request from issue to completion has the key
 * dev,sector, a system call the key tid. This is only the description; pairs.h does the matching.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoint/field.h"

struct diag;
struct session;
struct session_event;

#define PAIR_KEYS_MAX 4

enum pair_role {
	PAIR_BEGIN,
	PAIR_END,
	PAIR_CANCEL, /* the open begin with this key will have no end */
};

struct pair_rule {
	enum pair_role role;
	/* "block:block_rq_issue", a tracepoint without its system, or a pattern of these. */
	const char *event;
	/*
	 * "dev,sector": fields of the event's records, the same number in each rule. tid, pid and
	 * cpu are those of the sample, unless the records have a field of that name.
	 */
	const char *keys;
	/* The rule applies only to records with (field @when & @mask) == @value; or NULL. */
	const char *when;
	uint64_t mask, value;
};

struct pair_spec {
	const struct pair_rule *rules; /* the rules of one event apply in this order */
	size_t n_rules;
	/*
	 * This number of keys, counted from the last, do not choose the begin but are compared once
	 * it is found. If they differ, neither record counts: a thread that enters another system
	 * call has left the one before, even if the record of that is lost.
	 */
	unsigned n_compared;
	bool skips_zero;  /* records whose first key is 0 are ignored: the idle task */
	bool key_is_task; /* the first key is the tid of the thread of the pair */
};

/* A spec that owns its texts, which a user typed. */
struct typed_pair {
	struct pair_spec spec;
	struct pair_rule rules[2];
	char *texts[4];
};

/*
 * Parses @pair, "BEGIN,END", and @key, "k1,k2", where a field with two names is "begin=end". A @key
 * of NULL is "tid". -EINVAL with @diag; *@ret is untouched then.
 */
int typed_pair_parse(const char *pair, const char *key, struct typed_pair *ret, struct diag *diag);
void typed_pair_done(struct typed_pair *t);

/* True if @rule is about @event. */
bool pair_rule_is_about(const struct pair_rule *rule, const struct session_event *event);

/* Reports that the recording has no @event, and which events it has. Returns -ENOENT. */
int event_refuse(const char *event, const struct session *s, struct diag *diag);

/* True if the recording has events that begin and events that end a pair of @spec. */
bool pair_spec_has_events(const struct pair_spec *spec, const struct session *s);

/*
 * Checks that pairs of @spec can be found in the recording. -ENOENT: it lacks the events; -EINVAL:
 * an event lacks a field of the key, or its samples have no times. @diag says what exists instead.
 */
int pair_spec_check(const struct pair_spec *spec, const struct session *s, struct diag *diag);

/*
 * A rule of a pair bound to an event: reads the key of a sample without looking up names.
 *
 * Requests of the block layer have two peculiarities, which are handled here for every key that has
 * a field `sector` beside a field `rwbs`:
 *
 * - A flush (rwbs "FF") has no sector. The kernel writes 0 or 2^64-1, and not the same when it is
 *   issued and when it completes. Its key is the device and the fact that it is a flush: each
 *   hardware queue has one at a time.
 * - The request that caused the flush is completed too, as a request of 0 sectors that was never
 *   issued. Its sector is that of its data, or 0. It ends no pair.
 */

struct session_sample;

struct pair_key_part {
	enum {
		PAIR_KEY_ABSENT,
		PAIR_KEY_NUMBER, /* the number in a field */
		PAIR_KEY_BYTES,  /* the bytes of a field: their hash */
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
	int sector; /* the index of the key that is a block request's; -1: none */
	struct field_ref rwbs, nr_sector;
};

enum pair_reading {
	PAIR_READ,
	PAIR_READ_FLUSH,
	PAIR_NOT_MEANT,  /* the rule does not apply to this record */
	PAIR_EMPTY,      /* a block request of 0 sectors */
	PAIR_UNREADABLE, /* the record ends before the key does */
};

/*
 * Binds @rule of @spec to @event, whose records are in the other byte order if @swap. A key that
 * the event lacks is PAIR_KEY_ABSENT and is never read.
 */
struct pair_side pair_side_bind(const struct pair_spec *spec, const struct pair_rule *rule,
				const struct session_event *event, bool swap);

/* Reads the key of @s into @ret, which is padded with 0. @seed is a seed of base/hash.h. */
enum pair_reading pair_side_read(const struct pair_side *side, const struct session_sample *s,
				 uint64_t seed, uint64_t ret[PAIR_KEYS_MAX]);
