/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/cleanup.h"
#include "base/bytes.h"
#include "capture/synth-internal.h"
#include "kernel/bpf-metadata.h"
#include "kernel/bpf-program.h"
#include "wire/bpf-functions.h"
#include "wire/btf.h"

#define KSYMBOL_TYPE_BPF    1
#define BPF_EVENT_PROG_LOAD 1

static void synth_add_function(const struct synth_plan *p, const struct bpf_function *f,
			       struct bytes *out)
{
	const struct record r = {
		.header.type = PERF_RECORD_KSYMBOL,
		.ksymbol = {
			.addr = f->addr,
			.len = f->size,
			.ksym_type = KSYMBOL_TYPE_BPF,
			.name = f->name,
		},
	};

	synth_add(p, &r, out);
}

/* The number of entries that fit into a record. */
#define ENTRIES_MAX                                                                                \
	((RECORD_SIZE_MAX - RECORD_HEADER_SIZE - BPF_METADATA_NAME_SIZE - 8) /                     \
	 (BPF_METADATA_KEY_SIZE + BPF_METADATA_VALUE_SIZE))

/* Adds the metadata of @program, under the name of its first function. */
static void add_metadata(const struct synth_plan *p, const struct bpf_program *program,
			 const char *name, struct bytes *out)
{
	_cleanup_(bpf_metadata_done) struct bpf_metadata m = { 0 };
	_cleanup_(bytes_done) struct bytes entries = { 0 };
	struct record r = { .header.type = PERF_RECORD_BPF_METADATA };

	bpf_metadata_read(program, &m);
	if (!m.n)
		return;
	for (size_t i = 0; i < m.n && i < ENTRIES_MAX; i++)
		record_bpf_metadata_add(&entries, m.items[i].key, m.items[i].value);
	r.bpf_metadata = (struct record_bpf_metadata){
		.program = name,
		.entries = entries.data,
		.n = m.n < ENTRIES_MAX ? m.n : ENTRIES_MAX,
	};
	synth_add(p, &r, out);
}

static void add_program(const struct synth_plan *p, const struct bpf_program *program,
			struct bytes *out)
{
	_cleanup_(btf_done) struct btf_blob btf = { 0 };
	const struct record r = {
		.header.type = PERF_RECORD_BPF_EVENT,
		.bpf_event = {
			.type = BPF_EVENT_PROG_LOAD,
			.id = program->id,
			.tag = program->tag,
		},
	};
	const struct bpf_info info = {
		.info = program->info,
		.data = program->data,
		.info_size = program->info_size,
		.data_size = program->data_size,
		.arrays = program->arrays,
	};
	struct btf types;
	struct bpf_function f;

	if (program->btf_id)
		(void)btf_read(program->btf_id, &btf);
	types = (struct btf){ btf.data, btf.size };
	for (size_t i = 0; bpf_function_get(&info, &types, i, &f); i++)
		synth_add_function(p, &f, out);
	if (!p->no_bpf_event)
		synth_add(p, &r, out);
	if (p->bpf_metadata && bpf_function_get(&info, &types, 0, &f))
		add_metadata(p, program, f.name, out);
}

void synth_bpf(const struct synth_plan *p, struct bytes *out)
{
	const uint64_t wanted = 1U << BPF_ARRAY_JITED_KSYMS | 1U << BPF_ARRAY_JITED_FUNC_LENS |
				1U << BPF_ARRAY_FUNC_INFO | 1U << BPF_ARRAY_PROG_TAGS |
				(p->bpf_metadata ? 1U << BPF_ARRAY_MAP_IDS : 0);
	_cleanup_(bpf_program_list_done) struct bpf_program_list programs = { 0 };

	if (bpf_programs_read(wanted, &programs) < 0)
		return;
	for (size_t i = 0; i < programs.n; i++)
		add_program(p, &programs.items[i], out);
}
