/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Pairs that have a name: how long block requests, system calls, waits for a CPU, futexes,
 * interrupts and the sending of packets take.
 */
#include <stddef.h>

#include "pairs/pair-rule.h"

struct session;

struct pair_preset {
	const char *name;    /* "block" */
	const char *summary; /* what is measured, for help */
	const char *title;   /* the same as the heading of a picture */
	const char *record;  /* the options of `perf record` that capture its events */
	/* The same pairs from different events; the one of whose events most were recorded counts.
	 */
	const struct pair_spec *specs;
	size_t n_specs;
};

/* All of them, in the order in which they are looked for. */
const struct pair_preset *pair_presets(size_t *ret_n);

/* By name or another word for it ("runq" is sched), or NULL. */
const struct pair_preset *pair_preset_find(const char *name);

/* The spec of @preset whose events the recording has; the first one if it has none. */
const struct pair_spec *pair_preset_spec(const struct pair_preset *preset, const struct session *s);

/* The first preset whose events the recording has, or NULL. */
const struct pair_preset *pair_preset_of(const struct session *s);
