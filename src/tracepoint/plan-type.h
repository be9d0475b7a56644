/* SPDX-License-Identifier: MIT */
#pragma once
/* C's integer types by name, in the spelling of print fmts and field lists. */
#include <stdbool.h>
#include <stddef.h>

struct integer_type {
	unsigned bytes; /* 0: an unknown type, or not an integer */
	bool is_signed;
	bool is_bool;
};

/* The meaning of a sequence of type words, in any order: "long unsigned int", "const u8". */
struct type_words {
	bool is_signed, is_unsigned, is_char, is_short, is_int, is_bool, is_void, is_tagged;
	unsigned longs;
	struct integer_type named; /* a typedef among the words */
	bool is_typedef;
};

/*
 * Adds a word. False: it is neither a word of C's types nor a known typedef of the kernel. The word
 * after struct, union or enum is its tag and always accepted.
 */
bool type_word_add(struct type_words *t, const char *word, size_t length);

/* Returns the type of the words on a machine whose long has @long_size bytes. */
struct integer_type type_of_words(const struct type_words *t, unsigned long_size);

/*
 * Returns the element type of a declared type: u32 for "__data_loc u32[]". Pointers are addresses.
 */
struct integer_type type_of_declaration(const char *type, unsigned long_size);
