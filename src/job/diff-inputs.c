/* SPDX-License-Identifier: MIT */
#include "job/diff-inputs.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"

void diff_inputs_done(struct diff_inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		for (size_t k = 0; k < in->items[i].n; k++)
			free(in->items[i].items[k]);
		free(in->items[i].items);
	}
	free(in->items);
	*in = (struct diff_inputs){ 0 };
}

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* Threads that record side by side leave a directory, too: with a file called data. */
static bool is_collection(const char *path)
{
	_cleanup_(freep) char *data = xasprintf("%s/data", path);
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !is_there(data);
}

static int add_matches(struct diff_input *in, const char *pattern, struct diag *diag)
{
	glob_t found = { 0 };

	if (glob(pattern, 0, NULL, &found) != 0) {
		diag_set(diag, -ENOENT, "there is no recording '%s'", pattern);
		return -ENOENT;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		*ARRAY_ADD(in) = xstrdup(found.gl_pathv[i]);
	globfree(&found);
	return 0;
}

/* One name, without commas. */
static int add_name(struct diff_input *in, const char *name, struct diag *diag)
{
	if (is_collection(name)) {
		_cleanup_(freep) char *pattern = xasprintf("%s/*.data", name);

		return add_matches(in, pattern, diag);
	}
	if (!is_there(name) && glob_is_pattern(name))
		return add_matches(in, name, diag);
	*ARRAY_ADD(in) = xstrdup(name);
	return 0;
}

static int add_names(struct diff_input *in, const char *names, struct diag *diag)
{
	int r = 0;

	for (const char *at = names; r >= 0; at++) {
		size_t n = strcspn(at, ",");
		_cleanup_(freep) char *name = xstrndup(at, n);

		if (n)
			r = add_name(in, name, diag);
		at += n;
		if (!*at)
			break;
	}
	if (r >= 0 && !in->n)
		r = diag_set(diag, -ENOENT, "'%s' names no recording", names);
	return r;
}

static int add_side(struct diff_inputs *sides, const char *arg, struct diag *diag)
{
	struct diff_input *in = ARRAY_ADD(sides);

	in->name = arg;
	return strchr(arg, ',') && !is_there(arg) ? add_names(in, arg, diag)
						  : add_name(in, arg, diag);
}

int diff_inputs_find(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag)
{
	_cleanup_(diff_inputs_done) struct diff_inputs sides = { 0 };
	int r = argc < 2 ? add_side(&sides, "perf.data.old", diag) : 0;

	if (r >= 0 && !argc)
		r = add_side(&sides, "perf.data", diag);
	for (int i = 0; i < argc && r >= 0; i++)
		r = add_side(&sides, argv[i], diag);
	if (r < 0)
		return r;
	*ret = sides;
	sides = (struct diff_inputs){ 0 };
	return 0;
}
