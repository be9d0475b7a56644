/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The fields that `perf script` prints, by type of event: the default ones, the ones that -F
 * requests, and the ones that the recording contains.
 *
 * Each use of -F is one request. Later ones override earlier ones for the types that they name.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct session;
struct text;

enum script_field {
#define FIELD(symbol, name) SCRIPT_FIELD_##symbol,
#include "tools/script/fields-view.def"
#undef FIELD
	SCRIPT_FIELDS,
};

#define FIELD_BIT(field) (1ULL << SCRIPT_FIELD_##field)

/* Types of events as -F distinguishes them: attr.type, and types beyond its fixed values. */
enum script_type {
	SCRIPT_TYPE_HW,
	SCRIPT_TYPE_SW,
	SCRIPT_TYPE_TRACE,
	SCRIPT_TYPE_CACHE,
	SCRIPT_TYPE_RAW,
	SCRIPT_TYPE_BREAKPOINT,
	SCRIPT_TYPE_OTHER, /* events of PMUs */
	SCRIPT_TYPE_SYNTH, /* events decoded from hardware traces */
	SCRIPT_TYPES,
};

enum {
	FIELD_TYPE_HW = 1 << SCRIPT_TYPE_HW,
	FIELD_TYPE_SW = 1 << SCRIPT_TYPE_SW,
	FIELD_TYPE_TRACE = 1 << SCRIPT_TYPE_TRACE,
	FIELD_TYPE_RAW = 1 << SCRIPT_TYPE_RAW,
	FIELD_TYPE_SYNTH = 1 << SCRIPT_TYPE_SYNTH,
	FIELD_TYPE_ALL = (1 << SCRIPT_TYPES) - 1,
};

struct field_request {
	unsigned types;  /* bits that select types of events */
	bool replace;    /* @add is the whole set, not an addition */
	uint64_t add;    /* bits of 1 << SCRIPT_FIELD_x */
	uint64_t remove; /* likewise */
};

/* Returns the name of a field, such as "comm". */
const char *script_field_name(enum script_field f);

enum script_type script_type_of(uint32_t attr_type);

/* The requested fields, before any recording is read. */
struct script_fields {
	uint64_t of[SCRIPT_TYPES];
	bool chosen[SCRIPT_TYPES];    /* -F was given for it */
	bool shaped[SCRIPT_TYPES];    /* -F did more than +flags */
	bool named[SCRIPT_TYPES];     /* -F named the type */
	uint64_t asked[SCRIPT_TYPES]; /* requested for all events: must be present */
};

/*
 * Chooses the default fields as modified by @requests. Fields that make no sense for a type are
 * omitted. If the request named the type, or no field is left at all, this is -EINVAL with @diag.
 * Sentences about omitted fields are added to @notes, one on each line.
 */
int script_fields_choose(const struct field_request *requests, size_t n, struct script_fields *ret,
			 struct text *notes, struct diag *diag);

/*
 * Fits @f to the events of @s. A field that they do not record is dropped silently if it is a
 * default, and rejected (-EINVAL with @diag) if it was requested.
 */
int script_fields_fit(struct script_fields *f, const struct session *s, bool hide_call_graph,
		      struct diag *diag);
