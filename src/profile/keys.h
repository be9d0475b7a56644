/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sort keys there are, by name, and those that a report was asked for.
 *
 * Names may be shortened as long as somebody is reading: the first in the table that begins with
 * what was typed is meant, in any case of letters. What is not in the table may be a field of a
 * tracepoint of the recording: [EVENT.]FIELD[/raw].
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "profile/key.h"
#include "profile/report-mode.h"

struct access_types;
struct diag;
struct trace_machine;

/* The key type that @name, or the beginning of it, stands for; NULL: none. */
const struct key_type *key_type_find(const char *name);

/* The @i-th type, in the order in which they are looked for; NULL behind the last. */
const struct key_type *key_type_at(size_t i);

/* What --sort is without being asked: "comm,dso,symbol". */
const char *keys_default(enum report_mode mode);

/* The keys of a report, in order. `struct keys k = { 0 };` are none. */
struct keys {
	struct key *items;
	size_t n, room;
	struct arena arena;          /* of arguments */
	struct trace_machine *trace; /* NULL: not needed yet */
	struct access_types *types;  /* NULL: not needed yet */
};

void keys_done(struct keys *k);

/*
 * Appends what @name asks for: mostly one key; several for a field that several events have, and
 * for trace_fields; none that is there already. The events are those of @env's session. -EINVAL:
 * there is no such key, or it says nothing in @mode; @diag tells which are near.
 */
int keys_add(struct keys *k, const struct key_env *env, enum report_mode mode, const char *name,
	     struct diag *diag);
