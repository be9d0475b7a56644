/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A probe as its user writes it: `[[GROUP:]EVENT=]POINT [ARG...]`.
 *
 * Pure text: nothing is looked up. Each part remembers its position in the text, so that later
 * errors can point at it.
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

/* Where: FUNC[@FILE][:LINE|+OFFSET|%return|;PATTERN], FILE:LINE, FILE;PATTERN or an address. */
struct probe_point {
	char *function;   /* may be a glob; NULL: by file or address */
	char *file;       /* NULL: any */
	char *pattern;    /* of the lines' text, or NULL */
	uint32_t line;    /* of the function (from its first, 0) or of the file (from 1) */
	bool has_line;    /* @line is given; line 0 of a function is not, as that is its entry */
	uint64_t offset;  /* in the function, in bytes */
	uint64_t address; /* if @has_address */
	bool has_address;
	bool is_return;
	struct probe_words where; /* all of it */
};

/* ->name, .name or [index] behind a variable. */
struct probe_field {
	char *name; /* NULL: an index */
	int64_t index;
	bool is_arrow; /* -> instead of . */
	struct probe_words where;
};

/* What to record: [NAME=]WHAT[:TYPE][@user]. */
struct probe_arg {
	char *name; /* as typed, or NULL */
	char *what; /* the variable; or what is the kernel's own: $retval, %x0, @sym+4, +8(%sp) */
	bool is_variable;
	struct probe_field *fields; /* of a variable */
	size_t n_fields;
	char *type;   /* behind the colon, or NULL */
	bool is_user; /* @user: its memory is user space's */
	struct probe_words where;
};

struct probe_def {
	char *text;          /* as typed */
	char *group, *event; /* NULL: as the point says */
	char *marker; /* "[GROUP:]EVENT" of `%[GROUP:]EVENT`: a marker or cached probe; else NULL */
	struct probe_point point;
	struct probe_arg *args;
	size_t n_args;
};

/* -EINVAL: @diag points at what is wrong. */
int probe_def_parse(const char *text, struct probe_def *ret, struct diag *diag);
void probe_def_done(struct probe_def *d);

/*
 * The text for people, as Linux's perf has it: "tcp_sendmsg:81", "foo+12@t.c", "@t.c:12",
 * "malloc%return" (a pattern is left out); and that of an argument ("flags=tsk->flags:u32"). The
 * caller frees it.
 */
char *probe_point_text(const struct probe_point *p);
char *probe_arg_text(const struct probe_arg *a);

/*
 * What an argument is called in the event: as typed, or after its last member, its variable and
 * type; NULL: it is left to the kernel (arg1, arg2, ...). The caller frees it.
 */
char *probe_arg_name(const struct probe_arg *a);

/* Marks @w in the text of @d and says what is wrong with it. Returns @error. */
int probe_def_mark(const struct probe_def *d, struct probe_words w, int error, struct diag *diag,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));
