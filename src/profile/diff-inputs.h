/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sides of a comparison, from the words that name them: each is one recording, or several of
 * the same thing: `a1.data,a2.data`, a directory of *.data files, or a pattern such as 'a?.data'. A
 * file that is there by the very name that was typed is just that file, and so is the URL of a
 * fleet's store (store/url.h).
 */
#include <stddef.h>

struct diag;

/* Recordings of one side. */
struct diff_input {
	const char *name; /* as it was typed */
	char *label;      /* of a fleet: what the side is called */
	char **items;     /* paths */
	size_t n, room;
};

struct diff_inputs {
	struct diff_input *items; /* the baseline first */
	size_t n, room;
};

void diff_inputs_done(struct diff_inputs *in);

/*
 * Makes the sides of @argc arguments; none are perf.data.old and perf.data, and one is held against
 * perf.data.old. -ENOENT with @diag: a directory or pattern that has no recording. Whether files
 * are there is seen when they are opened.
 */
int diff_inputs_find(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag);

/*
 * Makes the sides of a fleet, each a URL with a name and '=' before it, if it shall have one. The
 * baseline is the one of that name, or else the first. -EINVAL with @diag.
 */
int diff_inputs_fleet(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag);
