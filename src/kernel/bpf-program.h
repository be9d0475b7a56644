/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The BPF programs that are loaded now, by bpf(2). Root only; for anybody else there are none.
 *
 * wire/bpf-functions.h decodes what is in them.
 */
#include <stddef.h>
#include <stdint.h>

#include "wire/bpf-functions.h"

struct bpf_program {
	uint32_t id, btf_id; /* btf_id 0: no names of its functions */
	uint64_t arrays;     /* bits of 1 << BPF_ARRAY_x: what is in data */
	uint8_t tag[8];
	uint8_t *info, *data;
	uint32_t info_size, data_size;
};

struct bpf_program_list {
	struct bpf_program *items;
	size_t n, room;
};

/* The type information of programs. */
struct btf_blob {
	uint8_t *data;
	uint32_t size;
};

/* Everything but the instructions before translation and the maps' ids, as Linux's perf. */
#define BPF_PROGRAM_RECORDED                                                                       \
	(((1ULL << BPF_ARRAYS) - 1) & ~(1ULL << BPF_ARRAY_XLATED_INSNS | 1ULL << BPF_ARRAY_MAP_IDS))

/* One program, with those of @arrays that it has. -ENOENT: it is gone; -EPERM as below. */
int bpf_program_read(uint32_t id, uint64_t arrays, struct bpf_program *ret);
void bpf_program_done(struct bpf_program *p);

/*
 * All programs, with those of @arrays (bits) that they have. -EPERM: not for this user; -ENOSYS: a
 * kernel without them.
 */
int bpf_programs_read(uint64_t arrays, struct bpf_program_list *ret);
void bpf_program_list_done(struct bpf_program_list *l);

/* The type information with @id. -ENOENT: gone. */
int btf_read(uint32_t id, struct btf_blob *ret);
void btf_done(struct btf_blob *b);
