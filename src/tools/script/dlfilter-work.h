/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A filter for samples that a user wrote in C: `perf script --dlfilter FILE` (perf-dlfilter(1),
 * include/perf/perf_dlfilter.h).
 *
 * It runs in this process and may do anything. The only checks are whether it can be loaded, and
 * its return values.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct diag;
struct dlfilter;
struct sample_filter;
struct sample_hook;
struct session;

struct dlfilter_request {
	const char *file;
	const char *exec_path;  /* the folder that contains dlfilters/ */
	char *const *arguments; /* from --dlarg */
	size_t n_arguments;
};

/*
 * Loads the file: the given path if it has a slash, else from the current directory, from
 * EXEC_PATH/dlfilters or from the places where the dynamic linker looks. The request is borrowed.
 * Returns a negative errno with @diag if the file does not exist, or is not a filter for this
 * machine.
 */
int dlfilter_open(const struct dlfilter_request *rq, struct dlfilter **ret, struct diag *diag);
void dlfilter_free(struct dlfilter *f);
DEFINE_FREEP(dlfilter)

/*
 * Calls its start(). @s and perf's own @filter (NULL: none) are borrowed. Returns a negative errno
 * with @diag if the filter refuses.
 */
int dlfilter_start(struct dlfilter *f, struct session *s, const struct sample_filter *filter,
		   struct diag *diag);

/*
 * Returns the hook for the code that takes samples. If the hook ends the reading, @diag of
 * dlfilter_start() has the reason.
 */
const struct sample_hook *dlfilter_hook(const struct dlfilter *f);

/*
 * Calls its stop(), if start() was called. Returns a negative errno with @diag if it returned an
 * error.
 */
int dlfilter_stop(struct dlfilter *f, struct diag *diag);

/* The filters that can be named without a folder. */
struct dlfilter_list {
	struct dlfilter_entry {
		char *name;              /* its file's name */
		char *summary, *details; /* its own description; "" if it has none */
	} * items;
	size_t n, room;
};

/*
 * Looks into the current directory and EXEC_PATH/dlfilters. Files that cannot be loaded are
 * omitted.
 */
void dlfilter_list_read(const char *exec_path, struct dlfilter_list *ret);
void dlfilter_list_done(struct dlfilter_list *l);
