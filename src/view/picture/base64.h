/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Bytes as text, four characters for three of them (RFC 4648).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes the @n bytes at @data, on one line. Errors are those of @out: ferror() tells. */
void base64_write(FILE *out, const uint8_t *data, size_t n);
