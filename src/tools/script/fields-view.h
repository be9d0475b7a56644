/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The fields that `perf script` prints, by type of event: the usual ones, what -F asks for, and
 * what the recording can give.
 *
 * Each use of -F is one request; later ones override earlier ones for the types they name.
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

/* Types of events as -F tells them apart: attr.type, and what is beyond its fixed values. */
enum script_type {
	SCRIPT_TYPE_HW,
	SCRIPT_TYPE_SW,
	SCRIPT_TYPE_TRACE,
	SCRIPT_TYPE_CACHE,
	SCRIPT_TYPE_RAW,
	SCRIPT_TYPE_BREAKPOINT,
	SCRIPT_TYPE_OTHER, /* of PMUs */
	SCRIPT_TYPE_SYNTH, /* decoded from hardware traces */
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
	unsigned types;  /* of events */
	bool replace;    /* @add is the whole set, instead of an addition */
	uint64_t add;    /* bits of 1 << SCRIPT_FIELD_x */
	uint64_t remove; /* likewise */
};

/* "comm" */
const char *script_field_name(enum script_field f);

enum script_type script_type_of(uint32_t attr_type);

/* What is asked for, before any recording is looked at. */
struct script_fields {
	uint64_t of[SCRIPT_TYPES];
	bool chosen[SCRIPT_TYPES];    /* -F had a say in it */
	bool shaped[SCRIPT_TYPES];    /* by more than +flags */
	bool named[SCRIPT_TYPES];     /* by the type's own name */
	uint64_t asked[SCRIPT_TYPES]; /* what -F wants of all events: must be there */
};

/*
 * The usual fields as @requests change them. Fields that make no sense for a type are left out; if
 * they were asked for by the type's name, or nothing is left at all, that is -EINVAL with @diag.
 * Sentences about what was left out are added to @notes, a line each.
 */
int script_fields_choose(const struct field_request *requests, size_t n, struct script_fields *ret,
			 struct text *notes, struct diag *diag);

/*
 * Fits @f to the events of @s: what they do not record is dropped silently if it is there by
 * default, and refused (-EINVAL with @diag) if it was asked for.
 */
int script_fields_fit(struct script_fields *f, const struct session *s, bool hide_call_graph,
		      struct diag *diag);
