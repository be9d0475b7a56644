/* SPDX-License-Identifier: MIT */
#pragma once
/* Parses numbers typed by users: the whole text must be the number. */
#include <stdint.h>

/*
 * Parses a decimal number, or a hexadecimal one after 0x; 010 is ten, as perf has always read it.
 * -EINVAL: not a number; -ERANGE: it does not fit.
 */
int number_parse(const char *s, uint64_t *ret);

/* Parses a hexadecimal number with or without 0x. The errors are the same. */
int number_parse_hex(const char *s, uint64_t *ret);

/* Parses a signed decimal or 0x hexadecimal number. The errors are the same. */
int number_parse_signed(const char *s, int64_t *ret);

/*
 * Parses a size in bytes: a decimal number, optionally with B, K, M or G after it. The errors are
 * the same.
 */
int number_parse_size(const char *s, uint64_t *ret);
