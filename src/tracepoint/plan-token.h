/* SPDX-License-Identifier: MIT */
#pragma once
/* The tokens of a print fmt: C's tokens, as far as tracepoints use them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_CHARACTER,
	TOKEN_MARK, /* an operator or a bracket; the longest match in C */
	TOKEN_BAD,  /* an unterminated string, a number with letters, a byte that is not C */
};

struct token {
	enum token_kind kind;
	const char *start;
	size_t length;
};

/* A number and the type that its spelling implies. */
struct token_number {
	uint64_t value;
	bool is_decimal, is_unsigned, is_long;
};

/* Takes the token at *@at, after blanks, and moves *@at past it. */
struct token token_take(const char **at);

bool token_is(const struct token *t, const char *spelling);

/* Parses a number. False: it is not a number that fits 64 bits. */
bool token_number(const struct token *t, struct token_number *ret);

/* Appends the contents of a string or character token: without quotes, with escapes resolved. */
void token_unquote(const struct token *t, struct text *out);
