/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The fields that `perf script` prints: -F [type:]a,b or [type:]+a,-b, and the old -f (SC-30).
 *
 * Each use of the option is one request; later ones override earlier ones for the types they name.
 * Whether a recording has a field is not known here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/option.h"

enum script_field {
#define FIELD(symbol, name) SCRIPT_FIELD_##symbol,
#include "cmd/opt-fields.def"
#undef FIELD
	SCRIPT_FIELDS,
};

enum {
	FIELD_TYPE_HW = 1 << 0,
	FIELD_TYPE_SW = 1 << 1,
	FIELD_TYPE_TRACE = 1 << 2,
	FIELD_TYPE_RAW = 1 << 3,
	FIELD_TYPE_SYNTH = 1 << 4,
	FIELD_TYPE_ALL = (1 << 5) - 1,
};

struct field_request {
	unsigned types;  /* of events */
	bool replace;    /* @add is the whole set, instead of an addition */
	uint64_t add;    /* bits of 1 << SCRIPT_FIELD_x */
	uint64_t remove; /* likewise */
};

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
