/* SPDX-License-Identifier: MIT */
#pragma once
/* Encodes bytes as text, four characters for three bytes (RFC 4648). */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text;

/* Writes the @n bytes at @data, on one line. Errors are those of @out: check ferror(). */
void base64_write(FILE *out, const uint8_t *data, size_t n);

/* Appends the same to @t. */
void base64_add(struct text *t, const uint8_t *data, size_t n);
