/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A filter for samples that a user wrote in C: `perf script --dlfilter FILE` (perf-dlfilter(1),
 * include/perf/perf_dlfilter.h).
 *
 * It runs in this process and may do what it likes: only whether it can be loaded, and what it
 * returns, is checked.
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
	const char *exec_path;  /* the folder that has dlfilters/ */
	char *const *arguments; /* of --dlarg */
	size_t n_arguments;
};

/*
 * Loads the file: as it is if it has a slash, else from the current directory, from
 * EXEC_PATH/dlfilters or where the dynamic linker looks. The request is borrowed. A negative errno
 * with @diag: it is not there, or is no filter for this machine.
 */
int dlfilter_open(const struct dlfilter_request *rq, struct dlfilter **ret, struct diag *diag);
void dlfilter_free(struct dlfilter *f);
DEFINE_FREEP(dlfilter)

/*
 * Calls its start(). @s and @filter, perf's own (NULL: none), are borrowed. A negative errno with
 * @diag: the filter refuses.
 */
int dlfilter_start(struct dlfilter *f, struct session *s, const struct sample_filter *filter,
		   struct diag *diag);

/* For who takes samples. @diag of dlfilter_start() tells why one ends the reading. */
const struct sample_hook *dlfilter_hook(const struct dlfilter *f);

/* Calls its stop(), if start() was called. A negative errno with @diag: it returned an error. */
int dlfilter_stop(struct dlfilter *f, struct diag *diag);

/* Those that can be named without a folder. */
struct dlfilter_list {
	struct dlfilter_entry {
		char *name;              /* of its file */
		char *summary, *details; /* what it says of itself; "" if nothing */
	} * items;
	size_t n, room;
};

/* Looks into the current directory and EXEC_PATH/dlfilters. Files that cannot be loaded are
 * left out. */
void dlfilter_list_read(const char *exec_path, struct dlfilter_list *ret);
void dlfilter_list_done(struct dlfilter_list *l);
