/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * C's integer types by name, as print fmts and field lists spell them.
 */
#include <stdbool.h>
#include <stddef.h>

struct integer_type {
	unsigned bytes; /* 0: a type that is not known here, or not an integer */
	bool is_signed;
	bool is_bool;
};

/* What a sequence of type words adds up to, in any order: "long unsigned int", "const u8". */
struct type_words {
	bool is_signed, is_unsigned, is_char, is_short, is_int, is_bool, is_void, is_tagged;
	unsigned longs;
	struct integer_type named; /* a typedef among the words */
	bool is_typedef;
};

/*
 * Adds a word. False: it is none of C's, and no typedef of the kernel that is known here. The word
 * after struct, union or enum is its tag and always taken.
 */
bool type_word_add(struct type_words *t, const char *word, size_t length);

/* The type that the words make on a machine whose long has @long_size bytes. */
struct integer_type type_of_words(const struct type_words *t, unsigned long_size);

/* The element type of a declared type: u32 of "__data_loc u32[]", pointers as addresses. */
struct integer_type type_of_declaration(const char *type, unsigned long_size);
