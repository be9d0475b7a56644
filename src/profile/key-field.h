/* SPDX-License-Identifier: MIT */
#pragma once
/* Sort keys that are fields of the recording's tracepoints. Private to profile/key*.c. */
#include <stdbool.h>

struct diag;
struct key_env;
struct keys;
struct session_event;
struct tracepoint_field;

/*
 * Appends the keys for [EVENT.]FIELD[/raw], and returns how many events have such a field. EVENT is
 * a part of a name that only one event has, or the event's number: %1. -EINVAL with @diag: the
 * event is named, and there is no such event or it has no such field.
 */
int keys_add_field(struct keys *k, const struct key_env *env, const char *typed, struct diag *diag);

/*
 * Appends field @f of @ev, a tracepoint, unless it is there already. @raw: in the form of the
 * record.
 */
void keys_add_field_of(struct keys *k, const struct key_env *env, const struct session_event *ev,
		       const struct tracepoint_field *f, bool raw);

/* Appends all fields of all tracepoints, except those that all tracepoints have. */
void keys_add_all_fields(struct keys *k, const struct key_env *env);
