/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Notes on work that succeeded at least in part: collected by the code that finds something, shown
 * by the command.
 *
 * A note is a `struct diag` and its kind. Notes are kept in the order in which they were added. A
 * command that wants them at once, because the work may take hours, sets a listener; each note is
 * then passed to the listener and not kept. The reason for a complete failure is no note: it is the
 * error that a function returns.
 */
#include <stddef.h>

#include "base/diag.h"

enum note_kind {
	NOTE_FAILURE, /* a part of the work failed; the rest went on */
	NOTE_WARNING, /* the result lacks something, or the request was not followed to the letter
		       */
	NOTE_HINT,    /* the next step for the user */
	NOTE_REMARK,  /* answers a question that a user may have; of no use to a script */
	NOTE_STATUS,  /* an event during the work: counting was enabled, another file was begun */
	NOTE_DETAIL,  /* requested by -v, or by a command of --control */
};

struct note {
	enum note_kind kind;
	struct diag what;
};

struct notes {
	struct note *items;
	size_t n, room;
	/* Receives each note when it is added, instead of it being kept; or NULL. */
	void (*listener)(void *arg, const struct note *note);
	void *arg;
};

void notes_done(struct notes *n);

/* Adds a note of one sentence. */
void notes_add(struct notes *n, enum note_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds the message of @d, with its excerpt and hint. @d is empty afterwards. */
void notes_take(struct notes *n, enum note_kind kind, struct diag *d);
