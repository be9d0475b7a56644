/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the opened events to files for tests: PERF_TEST_ATTR=FOLDER.
 *
 * Each event that is opened for a measurement becomes a file FOLDER/event-TYPE-CONFIG-FD, with a
 * line for each value, in the names and the order that the attr tests of Linux's perf compare.
 */
#include <sys/types.h>

struct attr;
struct text;

/* The parameters with which an event was opened. */
struct attr_file {
	const struct attr *attr;
	int fd, group_fd; /* its own; that of the group's leader, or -1 */
	int cpu;
	pid_t pid;
	unsigned long flags;
};

/* Appends the text of such a file. */
void attr_file_print(const struct attr_file *f, struct text *t);

/*
 * Writes the text into the folder of PERF_TEST_ATTR; without that variable it does nothing. A
 * failure is not reported, because the tests notice a missing file.
 */
void attr_file_write(const struct attr_file *f);
