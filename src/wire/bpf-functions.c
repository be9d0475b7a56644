/* SPDX-License-Identifier: MIT */
#include "wire/bpf-functions.h"

#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cursor.h"
#include "base/text.h"
#include "wire/btf.h"

/* The same limit as the verifier's BPF_MAX_SUBPROGS. */
#define FUNCTIONS_MAX 256

static struct cursor info_at(const struct bpf_info *p, size_t offset)
{
	struct cursor c = cursor_over(p->info, p->info_size, false);

	cursor_bytes(&c, offset);
	return c;
}

static uint32_t info_u32(const struct bpf_info *p, size_t offset)
{
	struct cursor c = info_at(p, offset);

	return cursor_u32(&c);
}

static uint64_t info_u64(const struct bpf_info *p, size_t offset)
{
	struct cursor c = info_at(p, offset);

	return cursor_u64(&c);
}

#define INFO_U32(p, field) info_u32(p, offsetof(struct bpf_prog_info, field))
#define INFO_U64(p, field) info_u64(p, offsetof(struct bpf_prog_info, field))

uint32_t bpf_info_id(const struct bpf_info *p)
{
	return INFO_U32(p, id);
}

uint32_t bpf_info_btf_id(const struct bpf_info *p)
{
	return INFO_U32(p, btf_id);
}

/*
 * Returns element @i of array @a at @offset, whose elements have @stride bytes. It may be beyond
 * the end.
 */
static struct cursor bpf_functions_element(const struct bpf_info *p, enum bpf_array a,
					   uint64_t offset, size_t i, uint32_t stride)
{
	bool there = p->arrays & 1ULL << a;
	struct cursor c = cursor_over(p->data, there ? p->data_size : 0, false);

	cursor_bytes(&c, offset);
	cursor_bytes(&c, (uint64_t)i * stride);
	return c;
}

bool bpf_info_map_id(const struct bpf_info *p, size_t i, uint32_t *ret)
{
	struct cursor c = bpf_functions_element(p, BPF_ARRAY_MAP_IDS, INFO_U64(p, map_ids), i,
						sizeof(*ret));
	uint32_t id = cursor_u32(&c);

	if (c.bad || i >= INFO_U32(p, nr_map_ids))
		return false;
	*ret = id;
	return true;
}

static void bpf_functions_add_tag(const struct bpf_info *p, size_t i, struct text *name)
{
	struct cursor own = bpf_functions_element(p, BPF_ARRAY_PROG_TAGS, INFO_U64(p, prog_tags), i,
						  BPF_TAG_SIZE);
	struct cursor whole = info_at(p, offsetof(struct bpf_prog_info, tag));
	const uint8_t *tag = i < INFO_U32(p, nr_prog_tags) ? cursor_bytes(&own, BPF_TAG_SIZE)
							   : NULL;
	if (!tag)
		tag = cursor_bytes(&whole, BPF_TAG_SIZE);
	for (size_t b = 0; tag && b < BPF_TAG_SIZE; b++)
		text_addf(name, "%02x", tag[b]);
}

/* Returns the name of its type, or NULL. */
static const char *bpf_functions_typed_name(const struct bpf_info *p, const struct btf *btf,
					    size_t i)
{
	struct cursor c = bpf_functions_element(p, BPF_ARRAY_FUNC_INFO, INFO_U64(p, func_info), i,
						INFO_U32(p, func_info_rec_size));

	if (!btf || i >= INFO_U32(p, nr_func_info))
		return NULL;
	cursor_bytes(&c, offsetof(struct bpf_func_info, type_id));

	uint32_t type = cursor_u32(&c);

	return c.bad ? NULL : btf_type_name(btf, type);
}

/*
 * Adds the name in the same way as the kernel's bpf_get_prog_name(): parts of a program whose types
 * are unknown are all "F".
 */
static void bpf_functions_add_name(const struct bpf_info *p, const struct btf *btf, size_t i,
				   struct text *name)
{
	const char *typed = bpf_functions_typed_name(p, btf, i);
	char own[BPF_OBJ_NAME_LEN + 1] = "";

	if (!typed && INFO_U32(p, nr_jited_ksyms) > 1)
		typed = "F";
	if (!typed) {
		struct cursor c = info_at(p, offsetof(struct bpf_prog_info, name));
		const uint8_t *bytes = cursor_bytes(&c, BPF_OBJ_NAME_LEN);

		if (bytes)
			memcpy(own, bytes, BPF_OBJ_NAME_LEN);
		typed = own;
	}
	if (*typed)
		text_addf(name, "_%s", typed);
}

bool bpf_function_get(const struct bpf_info *p, const struct btf *btf, size_t i,
		      struct bpf_function *ret)
{
	struct cursor addr = bpf_functions_element(p, BPF_ARRAY_JITED_KSYMS,
						   INFO_U64(p, jited_ksyms), i, sizeof(uint64_t));
	struct cursor size = bpf_functions_element(
		p, BPF_ARRAY_JITED_FUNC_LENS, INFO_U64(p, jited_func_lens), i, sizeof(uint32_t));
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	struct bpf_function f = { .addr = cursor_u64(&addr), .size = cursor_u32(&size) };

	if (p->info_size < offsetof(struct bpf_prog_info, btf_id) || addr.bad || size.bad ||
	    i >= INFO_U32(p, nr_jited_ksyms) || i >= INFO_U32(p, nr_jited_func_lens))
		return false;
	text_add(&name, "bpf_prog_");
	bpf_functions_add_tag(p, i, &name);
	bpf_functions_add_name(p, btf, i, &name);
	snprintf(f.name, sizeof(f.name), "%s", name.chars);
	*ret = f;
	return true;
}

size_t bpf_function_count(const struct bpf_info *p)
{
	uint32_t n = INFO_U32(p, nr_jited_ksyms);
	struct bpf_function last;

	if (!n || n > FUNCTIONS_MAX || n != INFO_U32(p, nr_jited_func_lens))
		return 0;
	return bpf_function_get(p, NULL, n - 1, &last) ? n : 0;
}

bool bpf_function_code(const struct bpf_info *p, size_t i, const uint8_t **ret)
{
	struct cursor code = bpf_functions_element(p, BPF_ARRAY_JITED_INSNS,
						   INFO_U64(p, jited_prog_insns), 0, 1);
	const uint8_t *bytes = NULL;

	/* The functions are stored one after the other. */
	for (size_t j = 0; j <= i; j++) {
		struct cursor size = bpf_functions_element(p, BPF_ARRAY_JITED_FUNC_LENS,
							   INFO_U64(p, jited_func_lens), j,
							   sizeof(uint32_t));
		uint32_t n = cursor_u32(&size);

		if (size.bad || j >= INFO_U32(p, nr_jited_func_lens))
			return false;
		bytes = cursor_bytes(&code, n);
	}
	if (!bytes || code.bad)
		return false;
	*ret = bytes;
	return true;
}

bool bpf_line_get(const struct bpf_info *p, const struct btf *btf, size_t i, struct bpf_line *ret)
{
	struct cursor addr = bpf_functions_element(p, BPF_ARRAY_JITED_LINE_INFO,
						   INFO_U64(p, jited_line_info), i,
						   INFO_U32(p, jited_line_info_rec_size));
	struct cursor line = bpf_functions_element(p, BPF_ARRAY_LINE_INFO, INFO_U64(p, line_info),
						   i, INFO_U32(p, line_info_rec_size));
	struct bpf_line l = { .addr = cursor_u64(&addr) };
	uint32_t file, text;

	cursor_bytes(&line, offsetof(struct bpf_line_info, file_name_off));
	file = cursor_u32(&line);
	text = cursor_u32(&line);
	l.number = BPF_LINE_INFO_LINE_NUM(cursor_u32(&line));
	if (addr.bad || line.bad || i >= INFO_U32(p, nr_jited_line_info) ||
	    i >= INFO_U32(p, nr_line_info) ||
	    INFO_U32(p, jited_line_info_rec_size) < sizeof(uint64_t) ||
	    INFO_U32(p, line_info_rec_size) < sizeof(struct bpf_line_info))
		return false;
	l.file = btf ? btf_string(btf, file) : NULL;
	l.text = btf ? btf_string(btf, text) : NULL;
	*ret = l;
	return true;
}
