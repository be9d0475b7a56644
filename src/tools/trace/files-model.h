/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files of a process's descriptors, as far as events have reported them.
 *
 * Threads share one trace_files by reference. A forked process gets a copy, which costs nothing
 * until one of them changes.
 */
#include <stdbool.h>
#include <stdint.h>

struct trace_files;

enum trace_file_state {
	TRACE_FILE_UNKNOWN, /* not reported: it may be looked up */
	TRACE_FILE_ABSENT,  /* a lookup found nothing */
	TRACE_FILE_KNOWN,
};

struct trace_files *trace_files_new(void);
struct trace_files *trace_files_ref(struct trace_files *f);
void trace_files_unref(struct trace_files *f); /* NULL is allowed */

/* Returns the descriptors of a process that was forked by one with @f. */
struct trace_files *trace_files_copy(const struct trace_files *f);

/*
 * Returns those of the same process after exec(): standard input, output and error are kept from
 * @f.
 */
struct trace_files *trace_files_after_exec(const struct trace_files *f);

/*
 * Returns the state of @fd. *@ret becomes its path if that is known, which is valid until the next
 * change.
 */
enum trace_file_state trace_files_find(const struct trace_files *f, int32_t fd, const char **ret);

/*
 * Sets the path of @fd to @path since @time_ns. NULL: a lookup found nothing. A path with a later
 * time is kept, so that a report during a call takes precedence over the conclusion at the end of
 * the call.
 */
void trace_files_set(struct trace_files *f, int32_t fd, const char *path, uint64_t time_ns);

/* Makes @to a copy of @from. */
void trace_files_duplicate(struct trace_files *f, int32_t from, int32_t to, uint64_t time_ns);

/* Forgets @fd, unless it was reported after @time_ns. */
void trace_files_forget(struct trace_files *f, int32_t fd, uint64_t time_ns);

/* Forgets everything that was looked up and not reported, which has the time 0. */
void trace_files_forget_looked_up(struct trace_files *f);

/* Forgets all descriptors from @first to @last in the same way. */
void trace_files_forget_range(struct trace_files *f, uint32_t first, uint32_t last,
			      uint64_t time_ns);
