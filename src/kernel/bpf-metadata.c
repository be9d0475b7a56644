/* SPDX-License-Identifier: MIT */
#include "kernel/bpf-metadata.h"

#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "kernel/bpf-object.h"
#include "kernel/bpf-program.h"
#include "wire/btf-types.h"
#include "wire/btf.h"

#define PREFIX "bpf_metadata_"

/* Constants of a program are some hundred bytes. */
#define SECTION_MAX (1U << 20)

void bpf_metadata_done(struct bpf_metadata *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->items[i].key);
		free(m->items[i].value);
	}
	free(m->items);
	*m = (struct bpf_metadata){ 0 };
}

/*
 * True for the map of constants: they are the only entry of an array called NAME.rodata, or
 * .rodata.NAME.
 */
static bool is_constants(const struct bpf_map_facts *f)
{
	return f->type == BPF_MAP_TYPE_ARRAY && f->key_size == sizeof(uint32_t) &&
	       f->max_entries == 1 && strstr(f->name, ".rodata") && f->value_type &&
	       f->value_size <= SECTION_MAX;
}

/* Reads the constants in the map @id; NULL: it has none. */
static uint8_t *read_constants(uint32_t id, struct bpf_map_facts *ret)
{
	_cleanup_(closep) int fd = bpf_map_open_id(id);
	_cleanup_(freep) uint8_t *value = NULL;
	const uint32_t key = 0;

	if (fd < 0 || bpf_map_facts(fd, ret) < 0 || !is_constants(ret))
		return NULL;
	value = xcalloc(1, ((size_t)ret->value_size + 7) / 8 * 8);
	return bpf_map_get(fd, &key, value) < 0 ? NULL : TAKE(value);
}

static void bpf_metadata_add_texts(const struct bpf_map_facts *f, const uint8_t *value,
				   struct bpf_metadata *ret)
{
	_cleanup_(btf_done) struct btf_blob blob = { 0 };
	struct btf_section_text t;
	struct btf types;

	if (btf_read(f->btf_id, &blob) < 0)
		return;
	types = (struct btf){ blob.data, blob.size };
	for (size_t i = 0; btf_section_text(&types, f->value_type, i, &t); i++) {
		if (!t.length || strncmp(t.name, PREFIX, strlen(PREFIX)) != 0 ||
		    t.at > f->value_size || t.length > f->value_size - t.at)
			continue;
		*ARRAY_ADD(ret) = (struct bpf_metadata_entry){
			xstrdup(t.name + strlen(PREFIX)),
			xstrndup((const char *)value + t.at, t.length),
		};
	}
}

void bpf_metadata_read(const struct bpf_program *p, struct bpf_metadata *ret)
{
	const struct bpf_info program = {
		.info = p->info,
		.data = p->data,
		.info_size = p->info_size,
		.data_size = p->data_size,
		.arrays = p->arrays,
	};
	uint32_t id;

	for (size_t i = 0; bpf_info_map_id(&program, i, &id); i++) {
		struct bpf_map_facts facts;
		_cleanup_(freep) uint8_t *value = read_constants(id, &facts);

		if (value)
			bpf_metadata_add_texts(&facts, value, ret);
	}
}
