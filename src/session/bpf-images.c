/* SPDX-License-Identifier: MIT */
#include "session/bpf-images.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "symbol/bpf-code.h"
#include "wire/bpf-functions.h"
#include "wire/btf.h"

static struct btf bpf_images_find_types(const struct features *f, uint32_t id)
{
	for (size_t i = 0; i < f->bpf_btfs.n; i++)
		if (f->bpf_btfs.items[i].id == id)
			return (struct btf){ f->bpf_btfs.items[i].data, f->bpf_btfs.items[i].size };
	return (struct btf){ NULL, 0 };
}

struct row_list {
	struct line_row *items;
	size_t n, room;
};

/* A program, and how far its lines were read: they are in the order of its functions. */
struct learning {
	const struct bpf_info *info;
	struct btf types;
	const struct arch *arch;
	size_t line;
};

/* The lines of the function [@start, @end). */
static void bpf_images_find_rows(struct learning *l, uint64_t start, uint64_t end,
				 struct row_list *ret)
{
	struct bpf_line line;

	for (; bpf_line_get(l->info, &l->types, l->line, &line); l->line++) {
		if (line.addr < start || line.addr >= end)
			return;
		if (!ret->n || line.addr >= ret->items[ret->n - 1].addr)
			*ARRAY_ADD(ret) = (struct line_row){ line.addr, line.file, line.number,
							     true, line.text };
	}
}

static void learn_function(struct learning *l, size_t i, struct symbolizer *s)
{
	struct row_list rows = { 0 };
	struct bpf_code code = { .arch = l->arch };
	struct bpf_function f;

	if (!bpf_function_get(l->info, &l->types, i, &f) ||
	    !bpf_function_code(l->info, i, &code.bytes))
		return;
	bpf_images_find_rows(l, f.addr, f.addr + f.size, &rows);
	code.name = f.name;
	code.addr = f.addr;
	code.n = f.size;
	code.rows = rows.items;
	code.n_rows = rows.n;
	symbolizer_add_bpf_code(s, &code);
	free(rows.items);
}

void bpf_images_learn(const struct features *f, struct symbolizer *s)
{
	const struct arch *arch = f->arch ? arch_find(f->arch) : NULL;

	for (size_t i = 0; i < f->bpf_progs.n; i++) {
		const struct bpf_prog *p = &f->bpf_progs.items[i];
		const struct bpf_info info = {
			.info = p->info,
			.data = p->data,
			.info_size = p->info_size,
			.data_size = p->data_size,
			.arrays = p->arrays,
		};
		struct learning l = { &info, bpf_images_find_types(f, bpf_info_btf_id(&info)), arch,
				      0 };
		size_t n = bpf_function_count(&info);

		for (size_t j = 0; j < n; j++)
			learn_function(&l, j, s);
	}
}
