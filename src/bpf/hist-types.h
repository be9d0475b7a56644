/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The interface between perf and hist.bpf.c: the number to count or the rules that make pairs of
 * events, and the bounds of the rows.
 */
#include "bpf/program-types.h"

#define HIST_BOUNDS_MAX 1000
#define HIST_KEYS_MAX   4
#define HIST_RULES_MAX  8

enum hist_key_kind {
	HIST_KEY_FIELD,
	HIST_KEY_TID,
	HIST_KEY_PID,
	HIST_KEY_CPU,
};

struct hist_key {
	__u32 kind;
	struct program_field field;
};

enum hist_role {
	HIST_BEGIN,
	HIST_END,
	HIST_CANCEL,
};

/* The meaning of a record for the pairs; see pairs/pair-rule.h. */
struct hist_rule {
	__u32 event; /* the cookie of the attached program */
	__u32 role;
	struct hist_key keys[HIST_KEYS_MAX];
	__u32 has_condition;
	struct program_field condition;
	__u64 mask, value;
	/* Requests of block devices (pairs/pair-rule.h): */
	__u32 is_request;
	__u32 sector;              /* index of the key that is the sector */
	struct program_field rwbs; /* the first two characters of rwbs */
	struct program_field n_sectors;
};

struct hist_constants {
	struct program_targets targets;
	struct program_field field; /* the field that is counted */
	/* For pairs: */
	__u32 n_rules;
	__u32 n_keys;       /* keys that select a begin */
	__u32 n_all_keys;   /* those, and the keys that are compared */
	__u32 skips_zero;   /* skip records whose first key is 0 */
	__u32 key_is_task;  /* the key is the pair's task; else the pair has the begin's task */
	__u32 keeps_begins; /* the key is a task: its entry is reused by its next begin */
	__u32 sums_up;      /* the map `sums` is used */
	struct hist_rule rules[HIST_RULES_MAX];
	/* Rows: row i + 1 begins at bounds[i]. */
	__u32 n_bounds;
	__u32 first_step; /* the largest power of two that is not above n_bounds */
	__s64 bounds[HIST_BOUNDS_MAX];
};

/* The only entry of the map `sums`, for each CPU. */
struct hist_sums {
	__u64 count, total_ns, min_ns, max_ns;
};

/* Entries of the map `losses`. */
enum {
	HIST_LOST_BEGINS, /* begins for which there was no space */
	HIST_LOSSES,
};
