/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Parses the fields for `perf script`: -F [type:]a,b or [type:]+a,-b, and the old -f.
 *
 * The meaning of a request is defined in tools/script/fields-view.h.
 */
#include <stdbool.h>
#include <stddef.h>

#include "cli/option.h"
#include "tools/script/fields-view.h"

struct field_opts {
	struct field_request *items;
	size_t n, room;
};

void field_opts_done(struct field_opts *f);

/*
 * Parses one value of -F. Returns -EINVAL with the wrong word in *@ret_offset and *@ret_length, and
 * the reason, a constant, in *@ret_why; *@ret is then untouched.
 */
int field_request_parse(const char *text, struct field_request *ret, size_t *ret_offset,
			size_t *ret_length, const char **ret_why);

/* True if @word is a list of fields, so that an old -f before it means -F. */
bool field_list_is(const char *word);

/* An option_set_fn for a `struct field_opts`, which adds a request. */
option_set_fn field_opts_set;
