/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A probe as its user writes it: `[[GROUP:]EVENT=]POINT [ARG...]`.
 *
 * This is text only: nothing is looked up. Each part remembers its position in the text, so that
 * later errors can point at it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;

/* A part of the text. */
struct probe_words {
	size_t at, length;
};

/*
 * The point to probe: FUNC[@FILE][:LINE|+OFFSET|%return|;PATTERN], FILE:LINE, FILE;PATTERN or an
 * address.
 */
struct probe_point {
	char *function;   /* may be a glob; NULL: by file or address */
	char *file;       /* NULL: any */
	char *pattern;    /* matches the lines' text, or NULL */
	uint32_t line;    /* counted in the function (from 0) or in the file (from 1) */
	bool has_line;    /* @line is given; not set for line 0, a function's entry */
	uint64_t offset;  /* in the function, in bytes */
	uint64_t address; /* valid if @has_address */
	bool has_address;
	bool is_return;
	struct probe_words where; /* the words of the whole point */
};

/* A field after a variable: ->name, .name or [index]. */
struct probe_field {
	char *name; /* NULL: an index */
	int64_t index;
	bool is_arrow; /* -> instead of . */
	struct probe_words where;
};

/* An argument to record: [NAME=]WHAT[:TYPE][@user]. */
struct probe_arg {
	char *name; /* as typed, or NULL */
	char *what; /* the variable; or the kernel's own: $retval, %x0, @sym+4, +8(%sp) */
	bool is_variable;
	struct probe_field *fields; /* the fields of a variable */
	size_t n_fields;
	char *type;   /* the text after the colon, or NULL */
	bool is_user; /* @user: its memory is in user space */
	struct probe_words where;
};

struct probe_def {
	char *text;          /* as typed */
	char *group, *event; /* NULL: named after the point */
	char *marker; /* "[GROUP:]EVENT" of `%[GROUP:]EVENT`: a marker or cached probe; else NULL */
	struct probe_point point;
	struct probe_arg *args;
	size_t n_args;
};

/* Parses @text. -EINVAL: @diag points at the mistake. */
int probe_def_parse(const char *text, struct probe_def *ret, struct diag *diag);
void probe_def_done(struct probe_def *d);

/*
 * Return the readable text of a point, as Linux's perf has it: "tcp_sendmsg:81", "foo+12@t.c",
 * "@t.c:12", "malloc%return" (a pattern is left out); and that of an argument
 * ("flags=tsk->flags:u32"). The caller frees it.
 */
char *probe_point_text(const struct probe_point *p);
char *probe_arg_text(const struct probe_arg *a);

/*
 * Returns the name of an argument in the event: as typed, or that of its last member, its variable
 * and type; NULL: the kernel chooses it (arg1, arg2, ...). The caller frees it.
 */
char *probe_arg_name(const struct probe_arg *a);

/* Marks @w in the text of @d and reports the mistake in it. Returns @error. */
int probe_def_mark(const struct probe_def *d, struct probe_words w, int error, struct diag *diag,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));
