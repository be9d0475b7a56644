/* SPDX-License-Identifier: MIT */
#include "profile/diff-inputs.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "store/url.h"

void diff_inputs_done(struct diff_inputs *in)
{
	for (size_t i = 0; i < in->n; i++) {
		for (size_t k = 0; k < in->items[i].n; k++)
			free(in->items[i].items[k]);
		free(in->items[i].items);
		free(in->items[i].label);
	}
	free(in->items);
	*in = (struct diff_inputs){ 0 };
}

static bool diff_inputs_is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/*
 * True if @path is a directory of recordings. A recording with several threads is a directory too:
 * it has a file called data.
 */
static bool is_collection(const char *path)
{
	_cleanup_(freep) char *data = xasprintf("%s/data", path);
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !diff_inputs_is_there(data);
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

/* Adds one name, without commas. */
static int diff_inputs_add_name(struct diff_input *in, const char *name, struct diag *diag)
{
	if (is_collection(name)) {
		_cleanup_(freep) char *pattern = xasprintf("%s/*.data", name);

		return add_matches(in, pattern, diag);
	}
	if (!diff_inputs_is_there(name) && glob_is_pattern(name))
		return add_matches(in, name, diag);
	*ARRAY_ADD(in) = xstrdup(name);
	return 0;
}

static int diff_inputs_add_names(struct diff_input *in, const char *names, struct diag *diag)
{
	int r = 0;

	for (const char *at = names; r >= 0; at++) {
		size_t n = strcspn(at, ",");
		_cleanup_(freep) char *name = xstrndup(at, n);

		if (n)
			r = diff_inputs_add_name(in, name, diag);
		at += n;
		if (!*at)
			break;
	}
	if (r >= 0 && !in->n)
		r = diag_set(diag, -ENOENT, "'%s' names no recording", names);
	return r;
}

static int diff_inputs_add_side(struct diff_inputs *sides, const char *arg, struct diag *diag)
{
	struct diff_input *in = ARRAY_ADD(sides);

	in->name = arg;
	if (fleet_is_url(arg)) {
		*ARRAY_ADD(in) = xstrdup(arg);
		return 0;
	}
	return strchr(arg, ',') && !diff_inputs_is_there(arg) ? diff_inputs_add_names(in, arg, diag)
							      : diff_inputs_add_name(in, arg, diag);
}

int diff_inputs_find(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag)
{
	_cleanup_(diff_inputs_done) struct diff_inputs sides = { 0 };
	int r = argc < 2 ? diff_inputs_add_side(&sides, "perf.data.old", diag) : 0;

	if (r >= 0 && !argc)
		r = diff_inputs_add_side(&sides, "perf.data", diag);
	for (int i = 0; i < argc && r >= 0; i++)
		r = diff_inputs_add_side(&sides, argv[i], diag);
	if (r < 0)
		return r;
	*ret = sides;
	sides = (struct diff_inputs){ 0 };
	return 0;
}

static int refuse_side(struct diag *diag, const char *arg, size_t at, const char *problem)
{
	diag_mark(diag, -EINVAL, arg, at, strlen(arg + at), "--fleet: %s", problem);
	diag_hint(diag, "For example: perf diff --fleet canary='sqlite:fleet.db?host=canary*' "
			"baseline='sqlite:fleet.db?host=web*'");
	return -EINVAL;
}

static bool has_label(const struct diff_inputs *sides, const char *label)
{
	for (size_t i = 0; i < sides->n; i++)
		if (sides->items[i].label && !strcmp(sides->items[i].label, label))
			return true;
	return false;
}

/*
 * Returns @url with parameters that make the store add up everything that is not compared: of
 * stacks, only the function that ran is needed.
 */
static char *url_by_host(const char *url)
{
	_cleanup_(freep) char *by_host = fleet_url_by(url, "host");

	return fleet_url_by(by_host, "function");
}

/* Adds a side. URLs contain '=' themselves; one that has no name begins with a scheme. */
static int add_fleet(struct diff_inputs *sides, const char *arg, struct diag *diag)
{
	const char *equals = fleet_is_url(arg) ? NULL : strchr(arg, '=');
	const char *url = equals ? equals + 1 : arg;
	_cleanup_(freep) char *label = xstrndup(arg, equals ? (size_t)(equals - arg) : strlen(arg));
	_cleanup_(fleet_url_done) struct fleet_url parsed = { 0 };
	struct diff_input *in;
	int r;

	if (equals == arg)
		return refuse_side(diag, arg, 0, "a side has no name");
	if (!fleet_is_url(url))
		return refuse_side(diag, arg, (size_t)(url - arg),
				   "this is not the URL of a store");
	if (has_label(sides, label))
		return refuse_side(diag, arg, 0, "two sides have the same name");
	r = fleet_url_parse(url, time(NULL), &parsed, diag);
	if (r < 0)
		return r;
	in = ARRAY_ADD(sides);
	in->name = arg;
	in->label = TAKE(label);
	*ARRAY_ADD(in) = url_by_host(url);
	return 0;
}

static void put_baseline_first(struct diff_inputs *sides)
{
	size_t at = 0;

	while (at < sides->n && strcmp(sides->items[at].label, "baseline") != 0)
		at++;
	if (at < sides->n) {
		struct diff_input baseline = sides->items[at];

		memmove(&sides->items[1], &sides->items[0], at * sizeof(baseline));
		sides->items[0] = baseline;
	}
}

int diff_inputs_fleet(int argc, char *const *argv, struct diff_inputs *ret, struct diag *diag)
{
	_cleanup_(diff_inputs_done) struct diff_inputs sides = { 0 };
	int r = 0;

	if (argc < 2)
		return refuse_side(diag, argc ? argv[0] : "perf diff --fleet", 0,
				   "two sides are compared, or more");
	for (int i = 0; i < argc && r >= 0; i++)
		r = add_fleet(&sides, argv[i], diag);
	if (r < 0)
		return r;
	put_baseline_first(&sides);
	*ret = sides;
	sides = (struct diff_inputs){ 0 };
	return 0;
}
