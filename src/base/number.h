/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Numbers written by people: the whole text must be the number.
 */
#include <stdint.h>

/*
 * Decimal, or hexadecimal after 0x; 010 is ten, as perf has always read it. -EINVAL: not a number;
 * -ERANGE: it does not fit.
 */
int number_parse(const char *s, uint64_t *ret);

/* Hexadecimal with or without 0x. Same errors. */
int number_parse_hex(const char *s, uint64_t *ret);

/* Signed decimal or 0x hexadecimal. Same errors. */
int number_parse_signed(const char *s, int64_t *ret);

/* A size in bytes: a decimal with B, K, M or G after it. Same errors. */
int number_parse_size(const char *s, uint64_t *ret);
