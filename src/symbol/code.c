/* SPDX-License-Identifier: MIT */
#include "symbol/code.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/guarded-map.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "elf/file.h"
#include "symbol/bpf-code.h"
#include "symbol/code-file.h"
#include "symbol/given-names.h"
#include "symbol/symbolizer.h"

/* The code file of an image, or the reason why there is none. */
struct code_entry {
	struct code_file *file; /* or NULL */
	int error;
	struct diag why;
};

struct code_store {
	pthread_mutex_t lock;
	struct u64_map by_image;
};

struct code_store *code_store_new(void)
{
	struct code_store *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	return s;
}

static void code_free_entry(void *arg, uint64_t key, void *value)
{
	struct code_entry *e = value;

	(void)arg, (void)key;
	code_file_free(e->file);
	diag_done(&e->why);
	free(e);
}

void code_store_free(struct code_store *s)
{
	if (!s)
		return;
	u64_map_for_each(&s->by_image, code_free_entry, NULL);
	u64_map_done(&s->by_image);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Returns the entry of @im. The first thread opens the file, while others wait. */
static const struct code_entry *find_entry(struct code_store *s, struct image *im)
{
	struct code_entry *e;

	pthread_mutex_lock(&s->lock);
	e = u64_map_find(&s->by_image, (uintptr_t)im);
	if (!e) {
		e = xcalloc(1, sizeof(*e));
		e->error = code_file_open(im, &e->file, &e->why);
		u64_map_put(&s->by_image, (uintptr_t)im, e);
	}
	pthread_mutex_unlock(&s->lock);
	return e;
}

static const struct code_section *find_section(const struct code_file *f, uint64_t addr)
{
	for (size_t i = 0; i < f->sections.n; i++)
		if (addr - f->sections.items[i].addr < f->sections.items[i].size)
			return &f->sections.items[i];
	return NULL;
}

static const struct code_section *code_find_text(const struct code_file *f)
{
	for (size_t i = 0; i < f->sections.n; i++)
		if (!strcmp(f->sections.items[i].name, ".text"))
			return &f->sections.items[i];
	return NULL;
}

/* Finds the link address of @addr (*@ret_shown), and the offset of its bytes in the file. */
static bool place_in_file(const struct code_file *f, uint64_t addr, uint64_t *ret_shown,
			  uint64_t *ret_offset)
{
	const struct code_section *text;

	switch (f->layout) {
	case CODE_BY_OFFSET:
		*ret_offset = addr;
		return elf_file_address(f->elf, addr, ret_shown);
	case CODE_BY_ADDRESS:
		*ret_shown = addr - f->move;
		return elf_file_offset(f->elf, *ret_shown, 0, ret_offset);
	case CODE_OF_MODULE:
		text = code_find_text(f);
		if (!text || addr - f->move >= text->size)
			return false;
		*ret_shown = addr - f->move + text->addr;
		*ret_offset = addr - f->move + text->offset;
		return true;
	case CODE_OF_DUMP:
	case CODE_OF_BPF:
		break;
	}
	return false;
}

static int read_elf(struct code_file *f, const struct symbol *sym, struct code *ret)
{
	const struct code_section *section;
	uint64_t shown, offset;

	if (!place_in_file(f, sym->start, &shown, &offset))
		return -ENODATA;
	ret->start = shown;
	ret->n = elf_file_read(f->elf, offset, ret->bytes, ret->n);
	section = f->layout == CODE_OF_MODULE ? code_find_text(f) : find_section(f, shown);
	ret->section = section ? section->name : ".text";
	return ret->n ? 0 : -ENODATA;
}

static int code_read_dump(const struct code_file *f, const struct symbol *sym, struct code *ret)
{
	const struct code_load *load = code_file_load(f, sym);

	if (!load)
		return -ENODATA;
	ret->start = sym->start;
	ret->section = ".text";
	memcpy(ret->bytes, guarded_map_bytes(f->dump) + load->offset, ret->n);
	return 0;
}

static int read_bpf(const struct code_file *f, const struct symbol *sym, struct code *ret)
{
	ret->start = sym->start;
	ret->section = ".text";
	ret->n = ret->n < f->bpf->n ? ret->n : f->bpf->n;
	memcpy(ret->bytes, f->bpf->bytes, ret->n);
	return ret->n ? 0 : -ENODATA;
}

static int symbol_code_read(struct code_file *f, const struct symbol *sym, struct code *ret)
{
	switch (f->layout) {
	case CODE_OF_DUMP:
		return code_read_dump(f, sym, ret);
	case CODE_OF_BPF:
		return read_bpf(f, sym, ret);
	default:
		return read_elf(f, sym, ret);
	}
}

int code_read(struct code_store *s, struct image *im, const struct symbol *sym, struct code *ret,
	      struct diag *diag)
{
	const struct code_entry *e = find_entry(s, im);
	uint64_t size = sym->end > sym->start ? sym->end - sym->start : 0;
	struct code c = { .n = size < CODE_SIZE_MAX ? size : CODE_SIZE_MAX, .file = e->file };
	int r;

	if (!e->file) {
		diag_set(diag, e->error, "%s", e->why.message ? e->why.message : "");
		if (e->why.hint)
			diag_hint(diag, "%s", e->why.hint);
		return e->error;
	}
	c.arch = e->file->arch;
	c.bytes = xmalloc(c.n + 1);
	pthread_mutex_lock(&e->file->lock);
	r = symbol_code_read(e->file, sym, &c);
	pthread_mutex_unlock(&e->file->lock);
	if (r < 0) {
		code_done(&c);
		if (sym->start >= GIVEN_NAMES && sym->start < UINT64_C(1) << 63)
			return diag_set(diag, r,
					"the profile has only functions, not the addresses of "
					"instructions");
		return diag_set(diag, r, "%s has no code at 0x%llx", image_long_name(im),
				(unsigned long long)sym->start);
	}
	*ret = c;
	return 0;
}

size_t code_read_at(struct code_store *s, struct image *im, uint64_t addr, void *bytes, size_t n)
{
	const struct code_entry *e = find_entry(s, im);
	uint64_t shown, offset;
	size_t got = 0;

	if (!e->file)
		return 0;
	pthread_mutex_lock(&e->file->lock);
	if (place_in_file(e->file, addr, &shown, &offset))
		got = elf_file_read(e->file->elf, offset, bytes, n);
	pthread_mutex_unlock(&e->file->lock);
	return got;
}

uint64_t code_identity(struct code_store *s, struct image *im)
{
	const struct code_file *f = find_entry(s, im)->file;

	return f && f->layout == CODE_BY_OFFSET ? elf_file_identity(f->elf) : 0;
}

void code_done(struct code *c)
{
	free(c->bytes);
	c->bytes = NULL;
}

bool code_place(const struct code *c, uint64_t addr, uint64_t *ret)
{
	struct code_file *f = c->file;
	const struct code_section *text;
	bool found = true;

	pthread_mutex_lock(&f->lock);
	switch (f->layout) {
	case CODE_BY_OFFSET:
		found = elf_file_offset(f->elf, addr, 0, ret);
		break;
	case CODE_OF_MODULE:
		text = code_find_text(f);
		*ret = addr + f->move - (text ? text->addr : 0);
		break;
	case CODE_BY_ADDRESS:
		*ret = addr + f->move;
		break;
	case CODE_OF_DUMP:
	case CODE_OF_BPF:
		*ret = addr;
		break;
	}
	pthread_mutex_unlock(&f->lock);
	return found;
}
