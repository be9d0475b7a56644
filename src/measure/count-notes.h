/* SPDX-License-Identifier: MIT */
#pragma once
/* Notes on a count beside its table: hints, reasons for empty rows, and raw values. */
#include <stdbool.h>

struct opened_events;
struct notes;

/* Adds a detail for each event that the kernel rejected. */
void count_notes_refused(const struct opened_events *c, struct notes *notes);

/* Adds a detail "name: cpu: value enabled running" for each place where an event is counted. */
void count_notes_places(const struct opened_events *c, struct notes *notes);

/* Adds a detail "name: value enabled running" for each event, with the kernel's values. */
void count_notes_raw(const struct opened_events *c, struct notes *notes);

/*
 * Adds hints on events that were not counted, and remarks on unexpected results in the table.
 * @around_command: CPUs were counted while a command ran; @root: the prefix of /proc, "" except in
 * tests.
 */
void count_notes(const struct opened_events *c, bool around_command, const char *root,
		 struct notes *notes);
