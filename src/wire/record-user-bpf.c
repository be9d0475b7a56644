/* SPDX-License-Identifier: MIT */
/* BPF_METADATA: char program[512]; u64 n; struct { char key[64], value[256]; } entries[n]. */
#include <string.h>

#include "wire/record-codec.h"

#define ENTRY_SIZE (BPF_METADATA_KEY_SIZE + BPF_METADATA_VALUE_SIZE)

/* Takes a text in a field of @size bytes, including its NUL. */
static const char *record_user_bpf_take_text(struct cursor *c, size_t size)
{
	const uint8_t *p = cursor_bytes(c, size);

	if (p && memchr(p, '\0', size))
		return (const char *)p;
	c->bad = true;
	return "";
}

void record_take_bpf_metadata(struct cursor *c, const struct attr *attr, struct record *r)
{
	const char *program = record_user_bpf_take_text(c, BPF_METADATA_NAME_SIZE);
	uint64_t n = cursor_u64(c);
	const uint8_t *entries = c->at;

	(void)attr;
	r->bpf_metadata = (struct record_bpf_metadata){ .program = program };
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		record_user_bpf_take_text(c, BPF_METADATA_KEY_SIZE);
		record_user_bpf_take_text(c, BPF_METADATA_VALUE_SIZE);
	}
	if (c->bad)
		return;
	r->bpf_metadata.entries = entries;
	r->bpf_metadata.n = n;
}

static void put_text(struct bytes *out, const char *text, size_t size)
{
	size_t n = strnlen(text, size - 1);

	bytes_add(out, text, n);
	bytes_zero(out, size - n);
}

void record_put_bpf_metadata(const struct record *r, struct bytes *out)
{
	const struct record_bpf_metadata *m = &r->bpf_metadata;

	put_text(out, m->program, BPF_METADATA_NAME_SIZE);
	bytes_u64(out, m->n);
	if (m->n)
		bytes_add(out, m->entries, m->n * ENTRY_SIZE);
}

void record_bpf_metadata_get(const struct record_bpf_metadata *m, size_t i, const char **ret_key,
			     const char **ret_value)
{
	const char *at = (const char *)m->entries + i * ENTRY_SIZE;

	*ret_key = at;
	*ret_value = at + BPF_METADATA_KEY_SIZE;
}

void record_bpf_metadata_add(struct bytes *entries, const char *key, const char *value)
{
	put_text(entries, key, BPF_METADATA_KEY_SIZE);
	put_text(entries, value, BPF_METADATA_VALUE_SIZE);
}
