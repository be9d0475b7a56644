/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Helpers that the tests of the language of probes share: they check that a definition is accepted,
 * or refused at a certain place.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "probe/probe-def.h"

static inline struct probe_def parsed(const char *text)
{
	struct diag diag = { 0 };
	struct probe_def d = { 0 };

	if (probe_def_parse(text, &d, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	assert_null(diag.message);
	assert_string_equal(d.text, text);
	return d;
}

/*
 * Checks that @text is accepted, and is written again as @point with arguments @args (joined by
 * blanks).
 */
static inline void takes(const char *text, const char *point, const char *args)
{
	struct probe_def d = parsed(text);
	char said[1000] = "";
	char *p = probe_point_text(&d.point);

	assert_string_equal(p, point);
	for (size_t i = 0; i < d.n_args; i++) {
		char *a = probe_arg_text(&d.args[i]);
		size_t n = strlen(said);

		snprintf(said + n, sizeof(said) - n, "%s%s", i ? " " : "", a);
		free(a);
	}
	assert_string_equal(said, args);
	free(p);
	probe_def_done(&d);
}

/* Checks that @text is refused; the marked part is @mark, and message or hint contain @why. */
static inline void refuses(const char *text, size_t at, const char *mark, const char *why)
{
	struct diag diag = { 0 };
	struct probe_def d = { .n_args = 77 };

	if (probe_def_parse(text, &d, &diag) != -EINVAL)
		fail_msg("%s: was taken", text);
	assert_int_equal(d.n_args, 77);
	assert_string_equal(diag.excerpt, text);
	if (diag.offset != at || diag.length != strlen(mark) ||
	    strncmp(text + diag.offset, mark, diag.length) != 0)
		fail_msg("%s: marks %zu+%zu, not '%s' at %zu", text, diag.offset, diag.length, mark,
			 at);
	if (!strstr(diag.message, why) && !(diag.hint && strstr(diag.hint, why)))
		fail_msg("%s: says '%s' (%s), not '%s'", text, diag.message,
			 diag.hint ? diag.hint : "", why);
	diag_done(&diag);
}

/*
 * Checks that @diag marks @mark at @at of @text, and has exactly @message and @hint (NULL: none).
 */
static inline void marks(const struct diag *diag, const char *text, size_t at, const char *mark,
			 const char *message, const char *hint)
{
	assert_non_null(diag->message);
	assert_string_equal(diag->message, message);
	assert_string_equal(diag->excerpt, text);
	assert_int_equal(diag->offset, at);
	assert_int_equal(diag->length, strlen(mark));
	assert_memory_equal(text + at, mark, strlen(mark));
	if (!hint)
		assert_null(diag->hint);
	else
		assert_string_equal(diag->hint ? diag->hint : "", hint);
}
