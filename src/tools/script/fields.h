/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The fields that `perf script` prints: -F [type:]a,b or [type:]+a,-b, and the old -f.
 *
 * What a request means is known to tools/script/fields-view.h.
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
 * Parses one value of -F. -EINVAL with *@ret_offset and *@ret_length telling the word that is wrong
 * and *@ret_why the reason, a constant; *@ret is untouched then.
 */
int field_request_parse(const char *text, struct field_request *ret, size_t *ret_offset,
			size_t *ret_length, const char **ret_why);

/* Is @word a list of fields, so that an old -f before it means -F? */
bool field_list_is(const char *word);

/* option_set_fn for a `struct field_opts`: one more request. */
option_set_fn field_opts_set;
