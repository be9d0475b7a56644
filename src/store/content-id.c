/* SPDX-License-Identifier: MIT */
#include "store/content-id.h"

#include <string.h>

#define KEY_0 UINT64_C(0x7065726620666c65)
#define KEY_1 UINT64_C(0x6574206964732031)

static uint64_t content_id_turn(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void content_id_mix(uint64_t *v)
{
	v[0] += v[1];
	v[1] = content_id_turn(v[1], 13) ^ v[0];
	v[0] = content_id_turn(v[0], 32);
	v[2] += v[3];
	v[3] = content_id_turn(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = content_id_turn(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = content_id_turn(v[1], 17) ^ v[2];
	v[2] = content_id_turn(v[2], 32);
}

static void content_id_feed(struct content_hash *h, uint64_t word)
{
	h->v[3] ^= word;
	content_id_mix(h->v);
	content_id_mix(h->v);
	h->v[0] ^= word;
}

void content_hash_begin(struct content_hash *h)
{
	*h = (struct content_hash){ .v = {
					    KEY_0 ^ UINT64_C(0x736f6d6570736575),
					    KEY_1 ^ UINT64_C(0x646f72616e646f6d),
					    KEY_0 ^ UINT64_C(0x6c7967656e657261),
					    KEY_1 ^ UINT64_C(0x7465646279746573),
				    } };
}

void content_hash_number(struct content_hash *h, uint64_t n)
{
	content_id_feed(h, n);
	h->n++;
}

/* Returns up to 8 bytes of text as a number, which is the same on machines of either byte order. */
static uint64_t content_id_word_of(const char *s, size_t n)
{
	uint64_t word = 0;

	for (size_t i = 0; i < n && i < 8; i++)
		word |= (uint64_t)(unsigned char)s[i] << 8 * i;
	return word;
}

void content_hash_text(struct content_hash *h, const char *s)
{
	size_t n = strlen(s);

	content_hash_number(h, n);
	content_hash_bytes(h, s, n);
}

void content_hash_bytes(struct content_hash *h, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i += 8)
		content_hash_number(h, content_id_word_of(bytes + i, n - i));
}

int64_t content_hash_id(struct content_hash *h)
{
	uint64_t id;

	content_id_feed(h, h->n << 59); /* the last word: the length in bytes, modulo 256 */
	h->v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		content_id_mix(h->v);
	id = h->v[0] ^ h->v[1] ^ h->v[2] ^ h->v[3];
	return id ? (int64_t)id : 1;
}
