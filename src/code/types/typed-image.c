/* SPDX-License-Identifier: MIT */
#include "code/types/typed-image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/sealed-file.h"
#include "code/types/follow.h"
#include "dwarf/debug-function.h"
#include "dwarf/debug-info.h"
#include "dwarf/file.h"
#include "elf/file.h"
#include "elf/got.h"
#include "elf/symbols.h"
#include "symbol/code.h"

/* No storage has a larger alignment. */
#define THREAD_ALIGN_MAX (1u << 20)

int typed_image_find(struct typed_image *t, struct code_store *code, struct image *im)
{
	int r;

	*t = (struct typed_image){ .image = im, .code = code };
	r = source_parts_find(im, &t->parts);
	if (r < 0)
		return r;
	t->arch = arch_of_elf(elf_file_machine(t->parts.dwarf));
	t->program = TAKE(t->parts.code);
	t->layout.start = t->parts.start;
	if (t->parts.by_offset)
		t->layout.layout = t->program ? t->program : t->parts.dwarf;
	return 0;
}

uint64_t typed_image_identity(const struct typed_image *t)
{
	const struct source_file files = { .parts = t->parts };
	uint64_t dwarf = source_file_identity(&files), code = code_identity(t->code, t->image);

	return dwarf && code && !t->parts.package ? sealed_identity(dwarf, code) : 0;
}

int typed_image_open(struct typed_image *t)
{
	bool is_module = t->parts.is_module;
	int r = debug_info_open(TAKE(t->parts.dwarf), NULL, &t->info);

	if (r < 0) {
		t->layout.layout = NULL; /* it may be the file that is now being closed */
		return r;
	}
	if (t->parts.alt)
		dwarf_file_set_alt(debug_info_file(t->info), TAKE(t->parts.alt));
	if (t->parts.package)
		dwarf_file_set_package(debug_info_file(t->info), TAKE(t->parts.package));
	if (is_module)
		t->layout.start -= dwarf_file_text(debug_info_file(t->info));
	return 0;
}

bool typed_image_is_split(const struct typed_image *t)
{
	return debug_info_is_split(t->info);
}

static void data_symbols_done(struct data_symbols *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i].name);
	free(s->items);
}

void typed_image_done(struct typed_image *t)
{
	data_symbols_done(&t->symbols);
	data_symbols_done(&t->thread_symbols);
	u64_map_done(&t->used.by_addr);
	arena_done(&t->used.arena);
	elf_got_free(t->got);
	debug_info_free(t->info);
	source_parts_done(&t->parts);
	elf_file_free(t->program);
	*t = (struct typed_image){ .image = NULL };
}

bool typed_image_link(const struct typed_image *t, uint64_t addr, uint64_t *ret)
{
	return source_file_link_address(&t->layout, addr, ret);
}

static size_t typed_image_read_code(void *arg, uint64_t addr, void *bytes, size_t n)
{
	struct typed_image *t = arg;
	uint64_t place;

	return source_file_address(&t->layout, addr, &place)
		       ? code_read_at(t->code, t->image, place, bytes, n)
		       : 0;
}

/*
 * Returns the length of @name without a version ("stderr@GLIBC_2.17"), and without the suffix of a
 * linker ("table.lto_priv.0").
 */
static size_t typed_image_name_length(const char *name)
{
	const char *suffix = strstr(name, ".lto_priv.");

	return suffix ? (size_t)(suffix - name) : strcspn(name, "@");
}

static void typed_image_add_symbol(const struct elf_symbol *s, void *arg)
{
	struct data_symbols *symbols = arg;

	if (s->kind == ELF_SYMBOL_OBJECT && s->size)
		*ARRAY_ADD(symbols) = (struct data_symbol){
			.start = s->addr,
			.end = s->addr + s->size,
			.name = xstrndup(s->name, typed_image_name_length(s->name)),
		};
}

static int typed_image_by_start(const void *a, const void *b)
{
	const struct data_symbol *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/*
 * Finds the symbol of data at an address. Symbols are needed only if a unit uses variables of
 * another, or does not give their addresses.
 */
static const struct data_symbol *typed_image_find_symbol(struct typed_image *t,
							 struct data_symbols *s,
							 enum elf_symbol_source source,
							 uint64_t addr)
{
	size_t after;

	if (!s->is_read) {
		(void)elf_symbols_read(dwarf_file_elf(debug_info_file(t->info)), source,
				       typed_image_add_symbol, s);
		if (s->n)
			qsort(s->items, s->n, sizeof(s->items[0]), typed_image_by_start);
		s->is_read = true;
	}
	after = BISECT(k, s->n, s->items[k].start <= addr);
	return after && addr < s->items[after - 1].end ? &s->items[after - 1] : NULL;
}

/* A global variable that is used, or the fact that there is none. */
struct used_static {
	const struct c_type *type;
	uint64_t start;
};

static void typed_image_find_used(struct typed_image *t, uint64_t pc, uint64_t addr,
				  struct used_static *ret)
{
	const struct data_symbol *sym;

	ret->type = debug_static_type(t->info, pc, addr, NULL, 0, &ret->start);
	if (ret->type)
		return;
	sym = typed_image_find_symbol(t, &t->symbols, ELF_SYMTAB, addr);
	if (sym)
		ret->type = debug_static_type(t->info, pc, addr, sym->name, sym->start,
					      &ret->start);
}

/*
 * Finds a global variable and remembers it, because the instructions of a function are followed
 * several times.
 */
static const struct c_type *find_static(void *arg, uint64_t pc, uint64_t addr, uint64_t *ret_start)
{
	struct typed_image *t = arg;
	struct used_static *known = u64_map_find(&t->used.by_addr, addr);

	if (!known) {
		known = arena_alloc(&t->used.arena, sizeof(*known));
		typed_image_find_used(t, pc, addr, known);
		u64_map_put(&t->used.by_addr, addr, known);
	}
	if (known->type)
		*ret_start = known->start;
	return known->type;
}

static void forget_used(struct typed_image *t)
{
	u64_map_done(&t->used.by_addr);
	arena_done(&t->used.arena);
}

/*
 * Finds a thread-local variable. Compilers for aarch64 do not describe their places, but their
 * symbols do.
 */
static const struct c_type *typed_image_find_thread(void *arg, uint64_t pc, uint64_t offset,
						    uint64_t *ret_start)
{
	struct typed_image *t = arg;
	const struct c_type *type = debug_thread_type(t->info, pc, offset, ret_start);
	const struct data_symbol *sym;

	if (type)
		return type;
	sym = typed_image_find_symbol(t, &t->thread_symbols, ELF_THREAD, offset);
	type = sym ? debug_named_type(t->info, pc, sym->name) : NULL;
	if (type)
		*ret_start = sym->start;
	return type;
}

/* Returns the file with the contents of loaded sections. */
static struct elf_file *loaded_file(struct typed_image *t)
{
	return t->program ? t->program : dwarf_file_elf(debug_info_file(t->info));
}

/* Returns the start of thread-local storage relative to the thread pointer of a program. */
static int64_t thread_start(struct typed_image *t)
{
	uint64_t size = 0, align = 1, header = t->arch ? t->arch->convention->thread_header : 0;

	if (!elf_file_thread_storage(loaded_file(t), &size, &align) || !align ||
	    align > THREAD_ALIGN_MAX || size > INT32_MAX)
		return 0;
	if (header)
		return (int64_t)((header + align - 1) / align * align);
	return -(int64_t)((size + align - 1) / align * align);
}

static bool find_constant(void *arg, uint64_t pc, uint64_t addr, struct held *ret)
{
	struct typed_image *t = arg;
	struct got_entry e;
	const struct c_type *type;

	if (!t->got)
		t->got = elf_got_read(loaded_file(t));
	if (!elf_got_find(t->got, addr, &e))
		return false;
	switch (e.kind) {
	case GOT_ADDRESS:
		*ret = (struct held){ .kind = HELD_ADDRESS, .offset = (int64_t)e.value };
		return true;
	case GOT_THREAD:
		*ret = held_plus((struct held){ .kind = HELD_ADDRESS, .offset = (int64_t)e.value },
				 thread_start(t));
		return true;
	default:
		type = debug_named_type(t->info, pc, e.name);
		*ret = (struct held){ .kind = type ? HELD_POINTER : HELD_UNKNOWN, .type = type };
		return true;
	}
}

static const struct c_type *find_returned(void *arg, uint64_t addr)
{
	struct typed_image *t = arg;

	return debug_returned_type(t->info, addr);
}

static bool never_returns(void *arg, uint64_t addr)
{
	struct typed_image *t = arg;

	return debug_never_returns(t->info, addr);
}

struct follow_source typed_image_source(struct typed_image *t)
{
	forget_used(t);
	return (struct follow_source){
		.arch = t->arch,
		.code = typed_image_read_code,
		.thread_start = thread_start(t),
		.static_type = find_static,
		.thread_type = typed_image_find_thread,
		.constant = find_constant,
		.returned = find_returned,
		.never_returns = never_returns,
		.arg = t,
	};
}
