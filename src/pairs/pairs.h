/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Begins and ends matched by key: the time between a request and its completion, a call and its
 * return, a wake-up and the moment the thread runs.
 *
 *	struct pairs *p = pairs_new(&(struct pairs_options){ .spec = spec, .found = add, ... });
 *	for each sample, in order of time:
 *		pairs_take(p, sample);
 *
 * An end takes the begin with its key, which is then no longer open. A begin replaces an open one
 * with its key: the measured time starts at the last begin (a request that is issued again). Every
 * begin and end without a partner is counted. Memory use is that of the begins that are open at
 * once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/notes.h"
#include "pairs/pair-rule.h"

struct pairs;
struct session_sample;

/* A begin and its end. The pair lives until the callback returns. */
struct pair {
	uint64_t begin_ns, end_ns;
	const uint64_t *keys;   /* in the order of the rule; 0 after the last one */
	uint32_t pid, tid, cpu; /* from the begin's sample; pid and tid may be SAMPLE_NOBODY */
	bool is_flush;          /* a flush of a block device, which has no sector */
	const struct session_sample *end;
};

struct pairs_options {
	const struct pair_spec *spec; /* borrowed */
	bool swap;                    /* records are in the other byte order */
	void (*found)(void *arg, const struct pair *p);
	void *arg;
};

struct pair_counts {
	uint64_t pairs;    /* the number of pairs found */
	uint64_t flushes;  /* of these, requests that make a block device write its cache */
	uint64_t replaced; /* begins that were followed by another one with their key */
	uint64_t cancelled;
	uint64_t open;       /* begins that have no end yet */
	uint64_t unbegun;    /* ends without a begin */
	uint64_t mismatched; /* ends whose begin differs in a compared key */
	uint64_t empty;      /* completions of block requests without data: they were not issued */
	uint64_t unreadable; /* records too short for their key */
	uint64_t backwards;  /* ends earlier than their begin: times went backwards */
};

struct pairs *pairs_new(const struct pairs_options *o);
void pairs_free(struct pairs *p);
DEFINE_FREEP(pairs)

/* Takes a sample of any event, in order of time. */
void pairs_take(struct pairs *p, const struct session_sample *s);

/* Returns the counts up to now. */
struct pair_counts pairs_counts(const struct pairs *p);

/* Adds a note of @kind on how many begins and ends have no partner, if any: these are not shown. */
void pair_counts_note(const struct pair_counts *c, enum note_kind kind, struct notes *notes);

struct open_pair {
	uint64_t keys[PAIR_KEYS_MAX];
	uint64_t begin_ns;
	uint32_t pid, tid, cpu; /* from the begin's sample */
	bool is_open;           /* false: a free slot */
};

struct open_pairs {
	struct open_pair *items;
	size_t n, room;  /* room is a power of two */
	unsigned n_keys; /* the keys that choose an entry; the others are only kept */
	uint64_t seed;
};

void open_pairs_init(struct open_pairs *o, unsigned n_keys);
void open_pairs_done(struct open_pairs *o);

/* Returns the begin with the first keys of @keys, or NULL. Valid until the table changes. O(1). */
struct open_pair *open_pairs_find(const struct open_pairs *o, const uint64_t keys[PAIR_KEYS_MAX]);

/* Puts @p in place of the entry with its key. Returns true if there was one. */
bool open_pairs_put(struct open_pairs *o, const struct open_pair *p);

/* Removes @p, which open_pairs_find() has returned. */
void open_pairs_remove(struct open_pairs *o, struct open_pair *p);
