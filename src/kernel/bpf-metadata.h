/* SPDX-License-Identifier: MIT */
#pragma once
/* The metadata of loaded BPF programs: constant texts whose names begin with bpf_metadata_. */
#include <stddef.h>
#include <stdint.h>

struct bpf_program;

struct bpf_metadata_entry {
	char *key; /* without the prefix bpf_metadata_ */
	char *value;
};

struct bpf_metadata {
	struct bpf_metadata_entry *items;
	size_t n, room;
};

/*
 * Reads the metadata of @p, which was read with BPF_ARRAY_MAP_IDS. The result is empty if it has
 * none.
 */
void bpf_metadata_read(const struct bpf_program *p, struct bpf_metadata *ret);
void bpf_metadata_done(struct bpf_metadata *m);
