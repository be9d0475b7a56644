/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints records that are not samples, as lines of `perf script`. Private to
 * tools/script/script-view*.
 */
#include <stdbool.h>

struct delivered;
struct script_event;
struct script_writer;

enum {
	SCRIPT_SHOW_TASK = 1 << 0,
	SCRIPT_SHOW_MMAP = 1 << 1,
	SCRIPT_SHOW_SWITCH = 1 << 2,
	SCRIPT_SHOW_NAMESPACE = 1 << 3,
	SCRIPT_SHOW_CGROUP = 1 << 4,
	SCRIPT_SHOW_LOST = 1 << 5,
	SCRIPT_SHOW_ROUND = 1 << 6,
	SCRIPT_SHOW_BPF = 1 << 7,
	SCRIPT_SHOW_TEXT_POKE = 1 << 8,
	SCRIPT_SHOW_DEFERRED = 1 << 9,
};

/*
 * Returns the SCRIPT_SHOW_* flags, any of which shows records of @type. 0: these are never shown.
 */
unsigned script_shows(unsigned type);

/*
 * Processes @d and, if it is @shown, writes its line in the layout of @e. A damaged record gives no
 * line.
 */
void script_record(struct script_writer *p, const struct script_event *e, const struct delivered *d,
		   bool shown);
