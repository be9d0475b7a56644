/* SPDX-License-Identifier: MIT */
/* Prints the BPF programs of a recording, with the addresses of their code. */
#include <inttypes.h>

#include "view/header/line.h"
#include "wire/bpf-functions.h"
#include "wire/btf.h"

static void print_function(const struct bpf_info *p, const struct btf *types, size_t i, FILE *out)
{
	struct bpf_function f;

	if (!bpf_function_get(p, types, i, &f))
		return;
	header_text(out, f.name);
	fprintf(out, " addr 0x%" PRIx64 " size %u\n", f.addr, f.size);
}

static void print_program(const struct bpf_info *p, const struct btf *types, FILE *out)
{
	size_t n = bpf_function_count(p);

	if (!n)
		return;
	fprintf(out, "# bpf_prog_info %u:%s", bpf_info_id(p), n > 1 ? "\n" : " ");
	for (size_t i = 0; i < n; i++) {
		if (n > 1)
			fprintf(out, "# \tsub_prog %zu: ", i);
		print_function(p, types, i, out);
	}
}

void header_bpf_prog_info(const struct features *f, FILE *out)
{
	for (size_t i = 0; i < f->bpf_progs.n; i++) {
		const struct bpf_info info = features_bpf_info(&f->bpf_progs.items[i]);
		struct btf types = features_bpf_types(f, &info);

		print_program(&info, &types, out);
	}
}
