/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads the samples of a recording as columns (profile/sample-table.h), for programs that compute
 * over all of them at once. They are read on all CPUs, in any order.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "profile/filter-request.h"
#include "symbol/symbol-request.h"

struct diag;
struct notes;
struct sample_table;

/* A request for columns. Its texts are borrowed. */
struct sample_columns_request {
	const char *path; /* "-": standard input */
	bool force;       /* read the file whoever owns it */
	const char *const *fields;
	size_t n_fields;
	const char *const *events; /* names or patterns; none: all events */
	size_t n_events;
	struct filter_request filter; /* without switch_on and switch_off */
	struct symbol_request symbols;
	const char *buildid_dir; /* the files' own build-id cache; NULL: none */
	size_t max_stack;
	const atomic_bool *stop; /* reading ends with -ECANCELED once it is true; or NULL */
};

/*
 * Reads the whole recording. -EINVAL with @diag: a field or event does not exist; -ECANCELED;
 * otherwise the errors of any_session_open() and session_feed(). Notes on lost or damaged data go
 * to @notes.
 */
int sample_columns_read(const struct sample_columns_request *rq, struct sample_table **ret,
			struct notes *notes, struct diag *diag);
