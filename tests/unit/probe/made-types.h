/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Types of C and an argument that are made by hand, for the tests of the files that translate
 * values (probe/fetch-value.h).
 */
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/c-type.h"
#include "base/diag.h"
#include "base/similar.h"
#include "probe/fetch-value.h"
#include "probe/probe-def.h"
#include "probe/trace-probe.h"

struct made_member {
	const char *name;
	struct c_member member;
};

struct made_type {
	struct c_type type; /* first, so that a pointer to one is a pointer to the other */
	const struct made_type *target;
	const struct made_member *members;
	size_t n_members;
};

static inline const struct c_type *made_target(const struct c_type_source *s,
					       const struct c_type *t)
{
	const struct made_type *target = ((const struct made_type *)t)->target;

	(void)s;
	return target ? &target->type : NULL;
}

static inline bool made_member(const struct c_type_source *s, const struct c_type *t,
			       const char *name, struct c_member *ret)
{
	const struct made_type *m = (const struct made_type *)t;

	(void)s;
	for (size_t i = 0; i < m->n_members; i++) {
		if (strcmp(m->members[i].name, name) != 0)
			continue;
		*ret = m->members[i].member;
		return true;
	}
	return false;
}

static inline void made_suggest(const struct c_type_source *s, const struct c_type *t,
				struct similar *out)
{
	const struct made_type *m = (const struct made_type *)t;

	(void)s;
	for (size_t i = 0; i < m->n_members; i++)
		similar_add(out, m->members[i].name);
}

static const struct c_type_source made_source = {
	.pointer_size = 8,
	.target = made_target,
	.member = made_member,
	.suggest = made_suggest,
};

#define MADE_SIMPLE(kind_, name_, size_, signed_)                                                  \
	{                                                                                          \
		.type = {                                                                          \
			.source = &made_source,                                                    \
			.kind = kind_,                                                             \
			.name = name_,                                                             \
			.size = size_,                                                             \
			.is_signed = signed_                                                       \
		}                                                                                  \
	}
#define MADE_OF(kind_, size_, count_, target_)                                                     \
	{                                                                                          \
		.type = { .source = &made_source, .kind = kind_, .size = size_, .count = count_ }, \
		.target = target_                                                                  \
	}

/* An argument of the definition "f a->b", whose second half may be marked separately. */
struct made_fetch {
	struct probe_def def;
	struct probe_arg arg;
	struct trace_probe probe;
	struct diag diag;
	struct fetch fetch;
};

static inline void made_begin(struct made_fetch *f, uint16_t machine)
{
	*f = (struct made_fetch){
		.def = { .text = (char *)"f a->b" },
		.arg = { .what = (char *)"a", .is_variable = true, .where = { 2, 4 } },
	};
	f->fetch = (struct fetch){
		.def = &f->def,
		.arg = &f->arg,
		.probe = &f->probe,
		.arch = arch_of_elf(machine),
		.diag = &f->diag,
	};
}

static inline void made_end(struct made_fetch *f)
{
	trace_probe_done(&f->probe);
	diag_done(&f->diag);
}

/* Checks the message, the hint and the marked part of the definition; @hint NULL: there is none. */
static inline void made_says(struct made_fetch *f, size_t at, size_t length, const char *message,
			     const char *hint)
{
	assert_non_null(f->diag.message);
	assert_non_null(strstr(f->diag.message, message));
	assert_string_equal(f->diag.excerpt, "f a->b");
	assert_int_equal(f->diag.offset, at);
	assert_int_equal(f->diag.length, length);
	if (hint)
		assert_string_equal(f->diag.hint ? f->diag.hint : "", hint);
	else
		assert_null(f->diag.hint);
	diag_done(&f->diag);
	f->diag = (struct diag){ 0 };
}
