/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sides of a comparison, from the words that name them. Each side is one recording, or several
 * of the same thing: `a1.data,a2.data`, a directory of *.data files, or a pattern such as
 * 'a?.data'. If a file with exactly the typed name exists, the side is that file. The URL of a
 * fleet's store (store/url.h) is one side too.
 */
#include <stddef.h>

struct diag;

/* The recordings of one side. */
struct diff_input {
	const char *name; /* as typed */
	char *label;      /* for a fleet: the side's name */
	char **items;     /* paths of the recordings */
	size_t n, room;
};

struct diff_inputs {
	struct diff_input *items; /* the baseline first */
	size_t n, room;
};

void diff_inputs_done(struct diff_inputs *in);

/*
 * Makes the sides of @argc arguments. Without arguments they are perf.data.old and perf.data; a
 * single argument is compared with perf.data.old. -ENOENT with @diag: a directory or pattern that
 * has no recording. Whether the files exist is checked when they are opened.
 */
int diff_inputs_find(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag);

/*
 * Makes the sides of a fleet. Each is a URL, with a name and '=' before it if it is to have one.
 * The baseline is the side with that name, or else the first. -EINVAL with @diag.
 */
int diff_inputs_fleet(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag);
