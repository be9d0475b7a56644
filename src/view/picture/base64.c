/* SPDX-License-Identifier: MIT */
#include "view/picture/base64.h"

#include "base/cleanup.h"
#include "base/text.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes one to three bytes. */
static void base64_encode(const uint8_t *data, size_t n, char to[4])
{
	uint32_t v = (uint32_t)data[0] << 16;

	if (n > 1)
		v |= (uint32_t)data[1] << 8;
	if (n > 2)
		v |= data[2];
	to[0] = alphabet[v >> 18];
	to[1] = alphabet[v >> 12 & 63];
	to[2] = n > 1 ? alphabet[v >> 6 & 63] : '=';
	to[3] = n > 2 ? alphabet[v & 63] : '=';
}

void base64_add(struct text *t, const uint8_t *data, size_t n)
{
	char *at = text_room(t, (n + 2) / 3 * 4);

	for (size_t i = 0; i < n; i += 3, at += 4)
		base64_encode(data + i, n - i, at);
	text_filled(t, at);
}

/* The number of bytes that are encoded at a time; a multiple of 3. */
#define PART 3072

void base64_write(FILE *out, const uint8_t *data, size_t n)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < n; i += PART) {
		text_clear(&t);
		base64_add(&t, data + i, n - i < PART ? n - i : PART);
		fwrite(t.chars, 1, t.length, out);
	}
}
