/* SPDX-License-Identifier: MIT */
#include "view/picture/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Of one to three bytes. */
static void encode(const uint8_t *data, size_t n, char to[4])
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

void base64_write(FILE *out, const uint8_t *data, size_t n)
{
	char line[4096];
	size_t filled = 0;

	for (size_t i = 0; i < n; i += 3) {
		encode(data + i, n - i, line + filled);
		filled += 4;
		if (filled == sizeof(line)) {
			fwrite(line, 1, filled, out);
			filled = 0;
		}
	}
	fwrite(line, 1, filled, out);
}
