/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What there is to say about a count beside its table: hints, why rows are empty, and raw values.
 */
#include <stdbool.h>

struct opened_events;
struct notes;

/* A detail for each event that the kernel did not take. */
void count_notes_refused(const struct opened_events *c, struct notes *notes);

/* A detail "name: cpu: value enabled running" for each place where an event is counted. */
void count_notes_places(const struct opened_events *c, struct notes *notes);

/* A detail "name: value enabled running" for each event, as the kernel gave them. */
void count_notes_raw(const struct opened_events *c, struct notes *notes);

/*
 * Hints on events that were not counted, and remarks on what the reader of the table may wonder
 * about. @around_command: CPUs were counted while a command ran; @root: before /proc, "" but in
 * tests.
 */
void count_notes(const struct opened_events *c, bool around_command, const char *root,
		 struct notes *notes);
