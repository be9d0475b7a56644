/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/cleanup.h"
#include "capture/synth-internal.h"
#include "kernel/bpf-program.h"
#include "wire/bpf-functions.h"
#include "wire/btf.h"

#define KSYMBOL_TYPE_BPF    1
#define BPF_EVENT_PROG_LOAD 1

static void add_function(const struct synth_plan *p, const struct bpf_function *f,
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
	struct bpf_function f;

	if (program->btf_id)
		(void)btf_read(program->btf_id, &btf);
	for (size_t i = 0; bpf_function_get(&info, &(struct btf){ btf.data, btf.size }, i, &f); i++)
		add_function(p, &f, out);
	if (!p->no_bpf_event)
		synth_add(p, &r, out);
}

void synth_bpf(const struct synth_plan *p, struct bytes *out)
{
	const uint64_t wanted = 1U << BPF_ARRAY_JITED_KSYMS | 1U << BPF_ARRAY_JITED_FUNC_LENS |
				1U << BPF_ARRAY_FUNC_INFO | 1U << BPF_ARRAY_PROG_TAGS;
	_cleanup_(bpf_program_list_done) struct bpf_program_list programs = { 0 };

	if (bpf_programs_read(wanted, &programs) < 0)
		return;
	for (size_t i = 0; i < programs.n; i++)
		add_program(p, &programs.items[i], out);
}
