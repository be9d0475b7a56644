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
	const char *summary; /* a description of the measurement, for the help text */
	const char *title;   /* the same, as the heading of a picture */
	const char *record;  /* the options of `perf record` that capture its events */
	/*
	 * The same pairs from different events. The spec whose events were recorded most often is
	 * used.
	 */
	const struct pair_spec *specs;
	size_t n_specs;
};

/* Returns all presets, in the order in which they are searched. */
const struct pair_preset *pair_presets(size_t *ret_n);

/* Finds a preset by its name or another word for it ("runq" is sched), or returns NULL. */
const struct pair_preset *pair_preset_find(const char *name);

/* Returns the spec of @preset whose events the recording has; the first one if it has none. */
const struct pair_spec *pair_preset_spec(const struct pair_preset *preset, const struct session *s);

/* Returns the first preset whose events the recording has, or NULL. */
const struct pair_preset *pair_preset_of(const struct session *s);
