/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The declarations that the files of sort keys share: the types that keys.def lists, and how places
 * in code are told apart and compared. Private to profile/key*.c.
 */
#include <stdint.h>

#include "profile/key.h"

struct access_types;
struct tracepoint_machine;

#define KEY(name) extern const struct key_type key_##name;
#include "profile/keys.def"
#undef KEY

/* The types for a field of a tracepoint, and for all fields; they cannot be found by name. */
extern const struct key_type key_field;

/* Compares: less than 0, 0, more than 0. */
static inline int key_order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compares addresses as signed numbers: the kernel's come first. */
static inline int key_address_order(uint64_t a, uint64_t b)
{
	return key_order(a ^ 1ULL << 63, b ^ 1ULL << 63);
}

/*
 * Compares addresses by the shorter way around the address space. This is no order, but Linux's
 * perf uses it.
 */
static inline int key_address_around(uint64_t a, uint64_t b)
{
	return a == b ? 0 : (int64_t)(a - b) < 0 ? -1 : 1;
}

/* key_type.compare() for texts in shared-values.h: ascending. */
int key_compare_texts(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

/* Compares numbers, the largest first. */
int key_compare_down(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

/* key_type.value() for numbers: 0 is none. */
void key_value_nonzero(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret);

/* Images. A number is that of a name: images of the same name are one row. 0: not known. */
uint64_t key_image_of(struct key_env *env, uint32_t frame);
int key_image_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

/*
 * Functions, or addresses if there is no function. A number is a frame, the same for all that are
 * one row; FRAME_NONE: none. The value has the parts of enum symbol_part.
 */
#define SYMBOL_PARTS(name)                                                                         \
	[PART_NAME] = { name, VALUE_TEXT, false },                                                 \
	[PART_MODE] = { name "_mode", VALUE_TEXT, false },                                         \
	[PART_INLINED] = { name "_inlined", VALUE_FLAG, false },                                   \
	[PART_ADDR] = { name "_addr", VALUE_ADDRESS, true },                                       \
	[PART_ORIGIN] = { name "_origin", VALUE_TEXT, true }

#define SYMBOL_PARTS_WITH_OFFSET(name)                                                             \
	SYMBOL_PARTS(name), [PART_OFFSET] = { name "_offset", VALUE_UNSIGNED, false }

uint64_t key_symbol_of(struct key_env *env, uint32_t frame);
int key_symbol_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
int key_symbol_identity(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);
uint64_t key_symbol_prefix(const struct key *k, struct key_env *env, uint64_t value);
uint64_t key_symbol_identity_prefix(const struct key *k, struct key_env *env, uint64_t value);
void key_symbol_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret);

/* Returns the frame whose number is @value; NULL: none. */
const struct frame *key_frame(const struct key_env *env, uint64_t value);

/* Lines of source, and their files, as numbers of texts. The texts are "" if no line is known. */
uint64_t key_source_line_of(struct key_env *env, uint32_t frame);
uint64_t key_source_file_of(struct key_env *env, uint32_t frame);

/* Returns the data that is needed to print the session's tracepoints; belongs to @owner. */
const struct tracepoint_machine *keys_trace_machine(struct keys *owner, const struct key_env *env);

/* Returns the types that instructions access; belongs to @owner. */
struct access_types *keys_access_types(struct keys *owner);
