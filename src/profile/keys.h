/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The existing sort keys, by name, and those that were requested for a report.
 *
 * Names may be shortened: the first name in the table that begins with the typed text is meant, in
 * any case of letters. A name that is not in the table may be a field of a tracepoint of the
 * recording: [EVENT.]FIELD[/raw].
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "profile/key.h"
#include "profile/report-mode.h"

struct access_types;
struct diag;
struct trace_machine;

/* Returns the key type whose name is @name or begins with it; NULL: none. */
const struct key_type *key_type_find(const char *name);

/* Returns the @i-th type, in the order of the search; NULL after the last. */
const struct key_type *key_type_at(size_t i);

/* Returns the default of --sort: "comm,dso,symbol". */
const char *keys_default(enum report_mode mode);

/* The keys of a report, in order. `struct keys k = { 0 };` is empty. */
struct keys {
	struct key *items;
	size_t n, room;
	struct arena arena;          /* holds the keys' arguments */
	struct trace_machine *trace; /* NULL: not needed yet */
	struct access_types *types;  /* NULL: not needed yet */
};

void keys_done(struct keys *k);

/*
 * Appends the keys that @name stands for: mostly one; several for a field that several events have,
 * and for trace_fields; none that is there already. The events are those of @env's session.
 * -EINVAL: there is no such key, or it cannot be used in @mode; @diag names similar ones.
 */
int keys_add(struct keys *k, const struct key_env *env, enum report_mode mode, const char *name,
	     struct diag *diag);
