/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The zooms of the user; the last one is left first: a thread, an object, a socket, a CPU, names of
 * functions, a time. There is at most one of each kind.
 *
 * Zooms are added to the request of the command line, and replace its filters of the same kind,
 * since the zoomed row has passed those filters.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "base/id-list.h"
#include "session/time-window.h"

struct browse_request;
struct text;

enum zoom_kind {
	ZOOM_THREAD,
	ZOOM_DSO,
	ZOOM_SOCKET,
	ZOOM_CPU,
	ZOOM_SYMBOL,
	ZOOM_TIME,
	N_ZOOMS,
};

struct zoom {
	enum zoom_kind kind;
	char *name;     /* a command, an object, a part of a name, times as in --time */
	int64_t number; /* a thread, a socket, a CPU; -1: none */
};

struct zooms {
	struct zoom *items;
	size_t n, room;
	/* Borrowed by requests: */
	struct cpu_list cpus;
	struct id_list tids;
	struct time_window window;
};

void zooms_done(struct zooms *z);

/* Returns the zoom of @kind, or NULL. */
const struct zoom *zooms_find(const struct zooms *z, enum zoom_kind kind);

/* Zooms, and replaces the zoom of @kind. @name is copied; it may be NULL. */
void zooms_add(struct zooms *z, enum zoom_kind kind, const char *name, int64_t number);

/* Zooms out. False: there was no zoom. */
bool zooms_remove(struct zooms *z, enum zoom_kind kind);
bool zooms_pop(struct zooms *z);
void zooms_clear(struct zooms *z);

/* Makes @to the same zooms as @from. */
void zooms_copy(struct zooms *to, const struct zooms *from);

/* Appends ", Thread: load, DSO: libc.so.6". The order is always the same. */
void zooms_title(const struct zooms *z, struct text *out);

/* Applies the zooms to @rq, which borrows from @z until that changes. */
void zooms_apply(struct zooms *z, struct browse_request *rq);

/* True if @name can be in a list of names, which are separated by commas. */
bool zoom_can_name(const char *name);
