/* SPDX-License-Identifier: MIT */
#include "symbol/code-file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/guarded-map.h"
#include "base/memory.h"
#include "elf/file.h"
#include "symbol/bpf-code.h"
#include "symbol/image.h"

#define SECTIONS_MAX 65536

void code_file_free(struct code_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->sections.n; i++)
		free(f->sections.items[i].name);
	free(f->sections.items);
	free(f->loads.items);
	u64_map_done(&f->by_start);
	guarded_map_free(f->dump);
	elf_file_free(f->elf);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static void code_file_freep(struct code_file **f)
{
	code_file_free(*f);
}

static void code_file_read_sections(struct code_file *f)
{
	struct elf_section s;

	for (size_t i = 1; i < SECTIONS_MAX && elf_file_section(f->elf, i, &s); i++)
		if (s.flags & SHF_ALLOC && s.size)
			*ARRAY_ADD(&f->sections) = (struct code_section){
				.name = xstrdup(s.name),
				.addr = s.addr,
				.size = s.size,
				.offset = s.offset,
			};
}

static int code_file_explain(const struct image *im, int error, struct diag *diag)
{
	const char *path = image_wanted_path(im);

	switch (error) {
	case -ESTALE:
		diag_set(diag, error, "%s is another build than the one that ran", path);
		diag_hint(diag, "Record again, or give the old file to perf buildid-cache --add.");
		break;
	case -EACCES:
	case -EPERM:
		diag_set(diag, error, "you have no permission to read %s", path);
		break;
	case -ENOENT:
		diag_set(diag, error, "there is no %s any more", path);
		diag_hint(diag, "--symfs finds files below another directory.");
		break;
	case -ENOTSUP:
		diag_set(diag, error,
			 "%s is compressed, and this perf was built without the library for that",
			 path);
		break;
	default:
		diag_set(diag, error, "%s has no code that can be read", path);
	}
	return error;
}

static int code_file_refuse(const struct image *im, struct diag *diag)
{
	switch (im->kind) {
	case IMAGE_JIT:
		diag_set(diag, -ENODATA, "of code made at run time, %s has the names only",
			 image_wanted_path(im));
		diag_hint(diag,
			  "A jitdump has the code: record -k mono, node --perf-prof and the like.");
		break;
	case IMAGE_BPF:
		diag_set(diag, -ENODATA,
			 "the recording does not have the code of this BPF program");
		diag_hint(diag, "Root records it, unless net.core.bpf_jit_harden or "
				"kernel.kptr_restrict forbid it; bpftool prog dump jited shows it "
				"while it is loaded.");
		break;
	default:
		diag_set(diag, -ENODATA, "%s has no file with code", image_long_name(im));
	}
	return -ENODATA;
}

static int code_file_open_elf(struct code_file *f, struct image *im, struct diag *diag)
{
	int r = image_open(im, &f->elf);

	f->layout = CODE_BY_OFFSET;
	return r < 0 ? code_file_explain(im, r, diag) : 0;
}

static int open_any(struct code_file *f, struct image *im, struct diag *diag)
{
	switch (im->kind) {
	case IMAGE_USER:
	case IMAGE_VDSO:
		return code_file_open_elf(f, im, diag);
	case IMAGE_KERNEL:
	case IMAGE_MODULE:
	case IMAGE_GUEST_KERNEL:
	case IMAGE_GUEST_MODULE:
		return code_file_open_kernel(f, im, diag);
	case IMAGE_JITDUMP:
		return code_file_open_dump(f, im, diag);
	case IMAGE_BPF:
		f->layout = CODE_OF_BPF;
		f->bpf = image_bpf_code(im);
		f->arch = f->bpf ? f->bpf->arch : NULL;
		return f->arch ? 0 : code_file_refuse(im, diag);
	default:
		return code_file_refuse(im, diag);
	}
}

int code_file_open(struct image *im, struct code_file **ret, struct diag *diag)
{
	_cleanup_(code_file_freep) struct code_file *f = xcalloc(1, sizeof(*f));
	int r;

	pthread_mutex_init(&f->lock, NULL);
	r = open_any(f, im, diag);
	if (r < 0)
		return r;
	if (f->elf) {
		f->arch = arch_of_elf(elf_file_machine(f->elf));
		code_file_read_sections(f);
	}
	*ret = TAKE(f);
	return 0;
}
