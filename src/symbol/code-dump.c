/* SPDX-License-Identifier: MIT */
/* Reads JIT code in a jitdump. */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/guarded-map.h"
#include "base/memory.h"
#include "symbol/code-file.h"
#include "symbol/image.h"
#include "symbol/jit-file.h"
#include "symbol/jitdump.h"

#define LOADS_MAX (1u << 20)

/* Maps the file, which may have been replaced since its names were read. */
static int code_dump_map(struct code_file *f, const struct image *im, size_t *ret_size)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);
	const struct jit_trust trust = { .pid = im->pid, .any_owner = o->any_owner };
	_cleanup_(jit_file_done) struct jit_file file = JIT_FILE_NONE;
	int r = jit_file_find(im->name, o->symfs, &trust, &file);

	if (r < 0)
		return r;
	*ret_size = file.size;
	return file.size ? guarded_map_new(file.fd, file.size, &f->dump) : -EINVAL;
}

static size_t latest_at(const struct code_file *f, uint64_t start)
{
	return (uintptr_t)u64_map_find(&f->by_start, start);
}

/* Adds a load. Code that was moved keeps its name and bytes. */
static void code_dump_add_load(const struct jitdump_code *c, void *arg)
{
	struct code_file *f = arg;
	size_t old = c->name ? 0 : latest_at(f, c->old_addr);
	struct code_load load = {
		.size = c->size,
		.offset = c->code.offset,
		.name = c->name,
		.name_length = c->name_length,
	};

	if (old)
		load = f->loads.items[old - 1];
	if (!load.name || !load.offset || load.size != c->size || f->loads.n == LOADS_MAX)
		return;
	load.start = c->addr;
	load.before = latest_at(f, c->addr);
	*ARRAY_ADD(&f->loads) = load;
	u64_map_put(&f->by_start, c->addr, (void *)(uintptr_t)f->loads.n);
}

int code_file_open_dump(struct code_file *f, struct image *im, struct diag *diag)
{
	struct jitdump_header h;
	size_t size;
	int r = code_dump_map(f, im, &size);

	if (r >= 0)
		r = jitdump_parse(guarded_map_bytes(f->dump), size, &h, code_dump_add_load, f);
	if (r < 0)
		return diag_set(diag, r, "%s cannot be read any more", im->name);
	f->layout = CODE_OF_DUMP;
	f->arch = arch_of_elf(h.machine);
	return 0;
}

const struct code_load *code_file_load(const struct code_file *f, const struct symbol *sym)
{
	const struct code_load *l;

	for (size_t n = latest_at(f, sym->start); n; n = l->before) {
		l = &f->loads.items[n - 1];
		if (l->size == sym->end - sym->start && l->name_length == strlen(sym->name) &&
		    !memcmp(l->name, sym->name, l->name_length))
			return l;
	}
	return NULL;
}
