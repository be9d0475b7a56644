/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of a BPF program: where the kernel put them, and what it calls them.
 *
 * A program is the kernel's struct bpf_prog_info, followed by the arrays it points to; pointers are
 * offsets into them, as perf.data files have it. All of it may come from a file: what does not lie
 * within the bytes is not there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* Bits of bpf_info.arrays, in the order of the data. */
enum bpf_array {
	BPF_ARRAY_JITED_INSNS,
	BPF_ARRAY_XLATED_INSNS,
	BPF_ARRAY_MAP_IDS,
	BPF_ARRAY_JITED_KSYMS,
	BPF_ARRAY_JITED_FUNC_LENS,
	BPF_ARRAY_FUNC_INFO,
	BPF_ARRAY_LINE_INFO,
	BPF_ARRAY_JITED_LINE_INFO,
	BPF_ARRAY_PROG_TAGS,
	BPF_ARRAYS,
};

/* Borrowed bytes, in this machine's order. */
struct bpf_info {
	const uint8_t *info, *data;
	size_t info_size, data_size;
	uint64_t arrays; /* bits of 1 << BPF_ARRAY_x: what is in data */
};

struct bpf_function {
	uint64_t addr;
	uint32_t size;
	char name[512]; /* "bpf_prog_TAG_NAME", of KSYM_NAME_LEN at most */
};

/* 0: not known. */
uint32_t bpf_info_id(const struct bpf_info *p);

/* The BTF that names its functions; 0: none. */
uint32_t bpf_info_btf_id(const struct bpf_info *p);

/* The id of map @i that it uses. False: there is none. */
bool bpf_info_map_id(const struct bpf_info *p, size_t i, uint32_t *ret);

/* How many functions it has whose addresses and sizes are known. */
size_t bpf_function_count(const struct bpf_info *p);

/* Function @i of @p, by the name that @btf (or NULL) has for it. false: there is none. */
bool bpf_function_get(const struct bpf_info *p, const struct btf *btf, size_t i,
		      struct bpf_function *ret);

/* The instructions of function @i, as many bytes as it has; borrowed. False: they are not there. */
bool bpf_function_code(const struct bpf_info *p, size_t i, const uint8_t **ret);

/* Code from @addr on was made of this line. Texts are borrowed from BTF; NULL: unknown. */
struct bpf_line {
	uint64_t addr;
	const char *file, *text;
	uint32_t number;
};

/* Line @i of all functions of @p, one function after the other. False: there are no more. */
bool bpf_line_get(const struct bpf_info *p, const struct btf *btf, size_t i, struct bpf_line *ret);
