/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The BPF programs that are loaded now, through bpf(2). Root only; for other users there are none.
 *
 * wire/bpf-functions.h decodes their contents.
 */
#include <stddef.h>
#include <stdint.h>

#include "wire/bpf-functions.h"

struct bpf_program {
	uint32_t id, btf_id; /* btf_id 0: its functions have no names */
	uint64_t arrays;     /* bits of 1 << BPF_ARRAY_x: the arrays in data */
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

/* Everything except the instructions before translation and the maps' ids, as in Linux's perf. */
#define BPF_PROGRAM_RECORDED                                                                       \
	(((1ULL << BPF_ARRAYS) - 1) & ~(1ULL << BPF_ARRAY_XLATED_INSNS | 1ULL << BPF_ARRAY_MAP_IDS))

/*
 * Reads one program, with those of @arrays that it has. -ENOENT: it no longer exists; -EPERM as
 * below.
 */
int bpf_program_read(uint32_t id, uint64_t arrays, struct bpf_program *ret);
void bpf_program_done(struct bpf_program *p);

/*
 * Reads all programs, with those of @arrays (bits) that they have. -EPERM: not permitted for this
 * user; -ENOSYS: a kernel without them.
 */
int bpf_programs_read(uint64_t arrays, struct bpf_program_list *ret);
void bpf_program_list_done(struct bpf_program_list *l);

/* Reads the type information with @id. -ENOENT: it no longer exists. */
int btf_read(uint32_t id, struct btf_blob *ret);
void btf_done(struct btf_blob *b);
