/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What loaded BPF programs say of themselves: constant texts whose names begin with bpf_metadata_.
 */
#include <stddef.h>
#include <stdint.h>

struct bpf_program;

struct bpf_metadata_entry {
	char *key; /* without bpf_metadata_ */
	char *value;
};

struct bpf_metadata {
	struct bpf_metadata_entry *items;
	size_t n, room;
};

/* Those of @p, which was read with BPF_ARRAY_MAP_IDS. Nothing where it has none. */
void bpf_metadata_read(const struct bpf_program *p, struct bpf_metadata *ret);
void bpf_metadata_done(struct bpf_metadata *m);
