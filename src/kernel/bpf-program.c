/* SPDX-License-Identifier: MIT */
#include "kernel/bpf-program.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* More than the verifier permits for any program (a million instructions, with line info). */
#define DATA_MAX (64U << 20)
#define BTF_MAX  (64U << 20)

/*
 * The members of struct bpf_prog_info for an array: its address, its length, the size of an
 * element.
 */
static const struct {
	size_t pointer, count;
	size_t element; /* size of an element; 0: see element_field */
	size_t element_field;
} arrays[BPF_ARRAYS] = {
#define ARRAY(pointer_, count_, element_)                                                          \
	{                                                                                          \
		offsetof(struct bpf_prog_info, pointer_), offsetof(struct bpf_prog_info, count_),  \
			element_, 0                                                                \
	}
#define RECORDS(pointer_, count_, size_)                                                           \
	{                                                                                          \
		offsetof(struct bpf_prog_info, pointer_), offsetof(struct bpf_prog_info, count_),  \
			0, offsetof(struct bpf_prog_info, size_)                                   \
	}
	[BPF_ARRAY_JITED_INSNS] = ARRAY(jited_prog_insns, jited_prog_len, 1),
	[BPF_ARRAY_XLATED_INSNS] = ARRAY(xlated_prog_insns, xlated_prog_len, 1),
	[BPF_ARRAY_MAP_IDS] = ARRAY(map_ids, nr_map_ids, 4),
	[BPF_ARRAY_JITED_KSYMS] = ARRAY(jited_ksyms, nr_jited_ksyms, 8),
	[BPF_ARRAY_JITED_FUNC_LENS] = ARRAY(jited_func_lens, nr_jited_func_lens, 4),
	[BPF_ARRAY_FUNC_INFO] = RECORDS(func_info, nr_func_info, func_info_rec_size),
	[BPF_ARRAY_LINE_INFO] = RECORDS(line_info, nr_line_info, line_info_rec_size),
	[BPF_ARRAY_JITED_LINE_INFO] = RECORDS(jited_line_info, nr_jited_line_info,
					      jited_line_info_rec_size),
	[BPF_ARRAY_PROG_TAGS] = ARRAY(prog_tags, nr_prog_tags, 8),
#undef ARRAY
#undef RECORDS
};

static uint32_t get_u32(const void *at, size_t offset)
{
	uint32_t v;

	memcpy(&v, (const uint8_t *)at + offset, sizeof(v));
	return v;
}

static uint32_t element_size(const void *info, size_t a)
{
	return arrays[a].element ? (uint32_t)arrays[a].element
				 : get_u32(info, arrays[a].element_field);
}

static uint64_t array_bytes(const void *info, size_t a)
{
	return (uint64_t)get_u32(info, arrays[a].count) * element_size(info, a);
}

static uint64_t bpf_program_aligned(uint64_t n)
{
	return (n + 7) & ~7ULL;
}

static int bpf_program_bpf(int cmd, union bpf_attr *attr)
{
	long r = syscall(__NR_bpf, cmd, attr, sizeof(*attr));

	return r < 0 ? -errno : (int)r;
}

static int info_by_fd(int fd, void *info, size_t size)
{
	union bpf_attr attr = {
		.info = {
			.bpf_fd = (uint32_t)fd,
			.info_len = (uint32_t)size,
			.info = (uintptr_t)info,
		},
	};

	return bpf_program_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static void program_done(struct bpf_program *p)
{
	free(p->info);
	free(p->data);
	*p = (struct bpf_program){ 0 };
}

void bpf_program_list_done(struct bpf_program_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		program_done(&l->items[i]);
	free(l->items);
	*l = (struct bpf_program_list){ 0 };
}

/* Requests the arrays in @wanted at @data, one after the other, with the lengths in @sizes. */
static void point_to(struct bpf_prog_info *info, uint64_t wanted, const struct bpf_prog_info *sizes,
		     const uint8_t *data)
{
	uint64_t offset = 0;

	for (size_t a = 0; a < BPF_ARRAYS; a++) {
		uint64_t address = (uintptr_t)data + offset;

		if (!(wanted & 1ULL << a))
			continue;
		memcpy((uint8_t *)info + arrays[a].pointer, &address, sizeof(address));
		memcpy((uint8_t *)info + arrays[a].count, (const uint8_t *)sizes + arrays[a].count,
		       sizeof(uint32_t));
		if (!arrays[a].element)
			memcpy((uint8_t *)info + arrays[a].element_field,
			       (const uint8_t *)sizes + arrays[a].element_field, sizeof(uint32_t));
		offset += bpf_program_aligned(array_bytes(sizes, a));
	}
}

static uint64_t data_bytes(const struct bpf_prog_info *sizes, uint64_t wanted)
{
	uint64_t n = 0;

	for (size_t a = 0; a < BPF_ARRAYS; a++)
		if (wanted & 1ULL << a)
			n += bpf_program_aligned(array_bytes(sizes, a));
	return n;
}

/* Reads a program. The first call gives the lengths of the arrays, the second fills them in. */
static int kernel_bpf_program_read(int fd, uint64_t wanted, struct bpf_program *ret)
{
	_cleanup_(freep) struct bpf_prog_info *info = xcalloc(1, sizeof(*info));
	_cleanup_(freep) uint8_t *data = NULL;
	struct bpf_prog_info sizes = { 0 };
	uint64_t n;

	int r = info_by_fd(fd, &sizes, sizeof(sizes));
	if (r < 0)
		return r;
	n = data_bytes(&sizes, wanted);
	if (n > DATA_MAX)
		return -EFBIG;
	data = xcalloc(1, n ? n : 1);
	point_to(info, wanted, &sizes, data);
	r = info_by_fd(fd, info, sizeof(*info));
	if (r < 0)
		return r;
	/* From now on pointers are offsets, and lengths are those that were requested. */
	point_to(info, wanted, &sizes, NULL);
	*ret = (struct bpf_program){
		.id = info->id,
		.btf_id = info->btf_id,
		.arrays = wanted,
		.info_size = sizeof(*info),
		.data_size = (uint32_t)n,
		.data = TAKE(data),
	};
	memcpy(ret->tag, info->tag, sizeof(ret->tag));
	ret->info = (uint8_t *)TAKE(info);
	return 0;
}

int bpf_program_read(uint32_t id, uint64_t wanted, struct bpf_program *ret)
{
	union bpf_attr by_id = { .prog_id = id };
	_cleanup_(closep) int fd = bpf_program_bpf(BPF_PROG_GET_FD_BY_ID, &by_id);

	return fd < 0 ? fd : kernel_bpf_program_read(fd, wanted, ret);
}

void bpf_program_done(struct bpf_program *p)
{
	free(p->info);
	free(p->data);
	*p = (struct bpf_program){ 0 };
}

int bpf_programs_read(uint64_t wanted, struct bpf_program_list *ret)
{
	_cleanup_(bpf_program_list_done) struct bpf_program_list l = { 0 };
	union bpf_attr next = { 0 };
	int r;

	while ((r = bpf_program_bpf(BPF_PROG_GET_NEXT_ID, &next)) >= 0) {
		union bpf_attr by_id = { .prog_id = next.next_id };
		_cleanup_(closep) int fd = bpf_program_bpf(BPF_PROG_GET_FD_BY_ID, &by_id);
		struct bpf_program p;

		next.start_id = next.next_id;
		if (fd >= 0 && kernel_bpf_program_read(fd, wanted, &p) >= 0)
			*ARRAY_ADD(&l) = p;
	}
	if (r != -ENOENT)
		return r;
	*ret = l;
	l = (struct bpf_program_list){ 0 };
	return 0;
}

int btf_read(uint32_t id, struct btf_blob *ret)
{
	union bpf_attr by_id = { .btf_id = id };
	_cleanup_(closep) int fd = bpf_program_bpf(BPF_BTF_GET_FD_BY_ID, &by_id);
	_cleanup_(freep) uint8_t *data = NULL;
	struct bpf_btf_info info = { 0 };
	uint32_t size;

	if (fd < 0)
		return fd;
	int r = info_by_fd(fd, &info, sizeof(info));
	if (r < 0)
		return r;
	size = info.btf_size;
	if (!size || size > BTF_MAX)
		return -EFBIG;
	data = xcalloc(1, size);
	info = (struct bpf_btf_info){ .btf = (uintptr_t)data, .btf_size = size };
	r = info_by_fd(fd, &info, sizeof(info));
	if (r < 0)
		return r;
	*ret = (struct btf_blob){ .data = TAKE(data), .size = size };
	return 0;
}

void btf_done(struct btf_blob *b)
{
	free(b->data);
	*b = (struct btf_blob){ 0 };
}
