/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the descriptors of a process stand for, as far as events have told.
 *
 * Threads share one trace_files by reference. A forked process gets a copy, which costs nothing
 * until one of both changes.
 */
#include <stdbool.h>
#include <stdint.h>

struct trace_files;

enum trace_file_state {
	TRACE_FILE_UNKNOWN, /* nobody has told: whoever can may look */
	TRACE_FILE_ABSENT,  /* somebody has looked in vain */
	TRACE_FILE_KNOWN,
};

struct trace_files *trace_files_new(void);
struct trace_files *trace_files_ref(struct trace_files *f);
void trace_files_unref(struct trace_files *f); /* NULL is fine */

/* The descriptors of a process that was forked by one with @f. */
struct trace_files *trace_files_copy(const struct trace_files *f);

/* Those of the same process after exec(): of @f, standard input, output and error stay. */
struct trace_files *trace_files_after_exec(const struct trace_files *f);

/* What is known of @fd; *@ret is its path if that is known. It is valid until the next change. */
enum trace_file_state trace_files_find(const struct trace_files *f, int32_t fd, const char **ret);

/*
 * @fd stands for @path since @time_ns; NULL: we looked and found nothing. A path with a later time
 * stays, so that what was told during a call wins over what is concluded when the call ends.
 */
void trace_files_set(struct trace_files *f, int32_t fd, const char *path, uint64_t time_ns);

/* @to is now what @from is. */
void trace_files_duplicate(struct trace_files *f, int32_t from, int32_t to, uint64_t time_ns);

/* Nothing is known of @fd any more, unless it was told after @time_ns. */
void trace_files_forget(struct trace_files *f, int32_t fd, uint64_t time_ns);

/* The same for everything that was looked up and not told: what has the time 0. */
void trace_files_forget_looked_up(struct trace_files *f);

/* The same for all descriptors from @first to @last. */
void trace_files_forget_range(struct trace_files *f, uint32_t first, uint32_t last,
			      uint64_t time_ns);
