/* SPDX-License-Identifier: MIT */
/*
 * The loaded BPF programs, so that their code can be shown after they are unloaded: instructions,
 * lines and types. Programs that were already stored are not stored again.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/host-facts.h"
#include "datafile/features.h"
#include "kernel/bpf-program.h"
#include "kernel/kept-files.h"

/* Returns the program's id, which is the second word of the kernel's bpf_prog_info. */
static uint32_t host_facts_id_of(const struct bpf_prog *p)
{
	uint32_t id = 0;

	if (p->info_size >= 2 * sizeof(id))
		__builtin_memcpy(&id, p->info + sizeof(id), sizeof(id));
	return id;
}

static bool has_program(const struct features *f, uint32_t id)
{
	for (size_t i = 0; i < f->bpf_progs.n; i++)
		if (host_facts_id_of(&f->bpf_progs.items[i]) == id)
			return true;
	return false;
}

static void add_btf(struct features *f, uint32_t id)
{
	struct btf_blob blob;

	for (size_t i = 0; i < f->bpf_btfs.n; i++)
		if (f->bpf_btfs.items[i].id == id)
			return;
	if (btf_read(id, &blob) < 0)
		return;
	*ARRAY_ADD(&f->bpf_btfs) =
		(struct bpf_btf){ .id = id, .size = blob.size, .data = blob.data };
}

void host_facts_bpf(struct features *f)
{
	_cleanup_(bpf_program_list_done) struct bpf_program_list programs = { 0 };

	features_mark(f, FEATURE_BPF_PROG_INFO);
	features_mark(f, FEATURE_BPF_BTF);
	if (bpf_programs_read(BPF_PROGRAM_RECORDED, &programs) < 0)
		return;
	for (size_t i = 0; i < programs.n; i++) {
		struct bpf_program *p = &programs.items[i];

		if (has_program(f, p->id))
			continue;
		*ARRAY_ADD(&f->bpf_progs) = (struct bpf_prog){
			.info_size = p->info_size,
			.data_size = p->data_size,
			.arrays = p->arrays,
			.info = TAKE(p->info),
			.data = TAKE(p->data),
		};
		if (p->btf_id)
			add_btf(f, p->btf_id);
	}
}

static uint8_t *host_facts_copy_of(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = xcalloc(1, n + 1);

	if (n)
		memcpy(copy, bytes, n);
	return copy;
}

static void copy_programs(const struct features *from, struct features *to)
{
	for (size_t i = 0; i < from->bpf_progs.n; i++) {
		struct bpf_prog p = from->bpf_progs.items[i];

		p.info = host_facts_copy_of(p.info, p.info_size);
		p.data = host_facts_copy_of(p.data, p.data_size);
		*ARRAY_ADD(&to->bpf_progs) = p;
	}
	for (size_t i = 0; i < from->bpf_btfs.n; i++) {
		struct bpf_btf b = from->bpf_btfs.items[i];

		b.data = host_facts_copy_of(b.data, b.size);
		*ARRAY_ADD(&to->bpf_btfs) = b;
	}
}

/* Adds programs that were loaded and no longer are. */
static void host_facts_add_kept(void *arg, const struct bpf_program *p, const struct btf_blob *btf)
{
	struct features *f = arg;
	bool has_btf = !btf->size;

	if (has_program(f, p->id))
		return;
	*ARRAY_ADD(&f->bpf_progs) = (struct bpf_prog){
		.info_size = p->info_size,
		.data_size = p->data_size,
		.arrays = p->arrays,
		.info = host_facts_copy_of(p->info, p->info_size),
		.data = host_facts_copy_of(p->data, p->data_size),
	};
	for (size_t i = 0; i < f->bpf_btfs.n; i++)
		has_btf |= f->bpf_btfs.items[i].id == p->btf_id;
	if (!has_btf)
		*ARRAY_ADD(&f->bpf_btfs) =
			(struct bpf_btf){ .id = p->btf_id,
					  .size = btf->size,
					  .data = host_facts_copy_of(btf->data, btf->size) };
}

void host_facts_bpf_late(const struct features *early, struct kept_files *kept,
			 struct features *late)
{
	_cleanup_(bpf_program_list_done) struct bpf_program_list programs = { 0 };
	bool is_new = kept && kept_files_has_programs(kept);

	if (!features_have(early, FEATURE_BPF_PROG_INFO) || bpf_programs_read(0, &programs) < 0)
		return;
	for (size_t i = 0; i < programs.n && !is_new; i++)
		is_new = !has_program(early, programs.items[i].id);
	if (!is_new)
		return;
	copy_programs(early, late);
	host_facts_bpf(late);
	if (kept)
		kept_files_for_each_program(kept, host_facts_add_kept, late);
}
