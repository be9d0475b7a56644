/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of a BPF program: their addresses, and their names in the kernel.
 *
 * A program is the kernel's struct bpf_prog_info, followed by the arrays to which it points;
 * pointers are offsets into them, as in perf.data files. All of it may come from a file: data
 * beyond the given bytes does not exist.
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

/* A program. The bytes are borrowed, and in this machine's order. */
struct bpf_info {
	const uint8_t *info, *data;
	size_t info_size, data_size;
	uint64_t arrays; /* bits of 1 << BPF_ARRAY_x: the arrays in @data */
};

struct bpf_function {
	uint64_t addr;
	uint32_t size;
	char name[512]; /* "bpf_prog_TAG_NAME", at most KSYM_NAME_LEN */
};

/* 0: not known. */
uint32_t bpf_info_id(const struct bpf_info *p);

/* Returns the id of the BTF that names its functions; 0: none. */
uint32_t bpf_info_btf_id(const struct bpf_info *p);

/* Finds the id of map @i that it uses. False: there is none. */
bool bpf_info_map_id(const struct bpf_info *p, size_t i, uint32_t *ret);

/* Returns the number of its functions whose addresses and sizes are known. */
size_t bpf_function_count(const struct bpf_info *p);

/* Finds function @i of @p, with its name from @btf (or NULL). False: there is none. */
bool bpf_function_get(const struct bpf_info *p, const struct btf *btf, size_t i,
		      struct bpf_function *ret);

/*
 * Finds the instructions of function @i, whose size is that of the function; borrowed. False: they
 * are missing.
 */
bool bpf_function_code(const struct bpf_info *p, size_t i, const uint8_t **ret);

/*
 * A source line, from which the code from @addr on was made. Texts are borrowed from BTF; NULL:
 * unknown.
 */
struct bpf_line {
	uint64_t addr;
	const char *file, *text;
	uint32_t number;
};

/* Finds line @i of all functions of @p, one function after the other. False: there are no more. */
bool bpf_line_get(const struct bpf_info *p, const struct btf *btf, size_t i, struct bpf_line *ret);
