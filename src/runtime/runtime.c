/* SPDX-License-Identifier: MIT */
#include "runtime/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "runtime/internal.h"
#include "runtime/thread-key.h"

#define LOOP_SIZE_MAX ((size_t)1 << 20)

static const struct runtime_type *const types[] = { &runtime_python, &runtime_java, &runtime_v8,
						    &runtime_ruby, &runtime_php };

struct runtime_search {
	struct runtime_image images[ARRAY_SIZE(types)];
};

static void runtime_take_symbol(const struct elf_symbol *s, void *arg)
{
	struct runtime_search *search = arg;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		for (const struct runtime_wanted *w = types[i]->wanted; w->name; w++)
			if (!strcmp(s->name, w->name))
				*(struct runtime_symbol *)((char *)&search->images[i] + w->offset) =
					(struct runtime_symbol){ s->addr, s->size };
}

/* A function in which byte code runs, whose parts are looked for. Offsets in the file. */
struct runtime_parts {
	struct runtime_image *image;
	struct elf_file *file;
	struct cfi_rules *rules;
	uint64_t bias; /* from link addresses to offsets */
};

static bool runtime_has_part(const struct runtime_image *im, uint64_t addr)
{
	for (uint32_t i = 0; i < im->n_ranges; i++)
		if (addr >= im->ranges[i].start && addr < im->ranges[i].end)
			return true;
	return false;
}

static bool runtime_add_range(struct runtime_range *ranges, uint32_t *n, uint64_t start,
			      uint64_t end, bool is_code)
{
	if (*n == RUNTIME_RANGES_MAX || start >= end)
		return false;
	ranges[(*n)++] = (struct runtime_range){ start, end, is_code, 0 };
	return true;
}

bool runtime_image_add_range(struct runtime_image *im, uint64_t start, uint64_t end, bool is_code)
{
	return runtime_add_range(im->ranges, &im->n_ranges, start, end, is_code);
}

struct thread_code runtime_image_code(const struct runtime_image *im,
				      const struct runtime_symbol *s, int pid, uint64_t bias)
{
	return (struct thread_code){
		.arch = im->arch, .pid = pid, .addr = s->start + bias, .size = s->size
	};
}

bool runtime_process_add_range(struct runtime_process *p, uint64_t start, uint64_t end,
			       bool is_code)
{
	return runtime_add_range(p->ranges, &p->n_ranges, start, end, is_code);
}

/* True if a function that was just called has the rule @r. */
static bool runtime_is_entry(const struct arch *arch, const struct unwind_rule *r)
{
	return r->cfa_register == arch->convention->sp &&
	       r->cfa_offset == (arch->convention->lr == ARCH_NO_REGISTER ? 8 : 0);
}

/*
 * Adds the part to which @target, the target of a jump in the loop, belongs. The compiler puts code
 * that it takes for cold elsewhere, where it begins with the frame of the loop.
 */
static void runtime_add_part(struct runtime_parts *p, uint64_t target)
{
	struct runtime_image *im = p->image;
	uint64_t start, end;

	if (runtime_has_part(im, target) ||
	    !cfi_rules_range(p->rules, target + p->bias, &start, &end) ||
	    runtime_is_entry(cfi_rules_arch(p->rules), cfi_rules_find(p->rules, start)))
		return;
	runtime_image_add_range(im, start - p->bias, end - p->bias, false);
}

/* Adds the parts of the loop that its own code jumps to. */
static void runtime_add_parts(struct runtime_image *im, struct elf_file *file,
			      struct cfi_rules *rules)
{
	const struct runtime_range loop = im->ranges[0];
	size_t n = loop.end - loop.start;
	_cleanup_(freep) uint8_t *code = n < LOOP_SIZE_MAX ? xcalloc(1, n + 1) : NULL;
	struct runtime_parts p = { .image = im, .file = file, .rules = rules };
	uint64_t offset;

	if (!code || !code_access_knows(cfi_rules_arch(rules)) ||
	    !elf_file_offset(file, loop.start, 0, &offset) ||
	    cfi_rules_code(rules, offset, code, n) != n)
		return;
	p.bias = offset - loop.start;
	for (size_t at = 0; at < n;) {
		struct code_access a;

		if (!code_access_read(cfi_rules_arch(rules), code + at, n - at, loop.start + at,
				      &a))
			return;
		at += a.length;
		if (a.has_target && (a.flow == ACCESS_BRANCH || a.flow == ACCESS_JUMP))
			runtime_add_part(&p, a.target);
	}
}

struct runtime_image *runtime_image_new(struct elf_file *file, struct cfi_rules *rules)
{
	struct runtime_search search = { 0 };
	struct runtime_image *im;

	elf_symbols_read(file, ELF_DYNSYM, runtime_take_symbol, &search);
	elf_symbols_read(file, ELF_SYMTAB, runtime_take_symbol, &search);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		const char *first = (const char *)&search.images[i] + types[i]->wanted[0].offset;

		search.images[i].type = types[i];
		search.images[i].arch = arch_of_elf(elf_file_machine(file));
		if (!((const struct runtime_symbol *)first)->start ||
		    !types[i]->accept(&search.images[i], file) ||
		    (types[i]->search && !types[i]->search(&search.images[i], file, rules)))
			continue;
		im = xcalloc(1, sizeof(*im));
		*im = search.images[i];
		if (im->n_ranges && !im->ranges[0].is_code)
			runtime_add_parts(im, file, rules);
		return im;
	}
	return NULL;
}

void runtime_image_free(struct runtime_image *im)
{
	free(im);
}

enum runtime_kind runtime_image_kind(const struct runtime_image *im)
{
	return im->type->kind;
}

int runtime_process_find(const struct runtime_image *im, int pid, uint64_t bias,
			 const struct runtime_libc *libc, struct runtime_process *ret)
{
	static const struct runtime_libc none = { .self = RUNTIME_NO_SELF };
	int r;

	/* Two of them are compared byte by byte. */
	memset(ret, 0, sizeof(*ret));
	ret->kind = im->type->kind;
	for (uint32_t i = 0; i < im->n_ranges; i++)
		if (runtime_process_add_range(ret, im->ranges[i].start + bias,
					      im->ranges[i].end + bias, im->ranges[i].is_code))
			ret->ranges[ret->n_ranges - 1].is_outer = im->ranges[i].is_outer;
	r = im->type->find(im, pid, bias, libc ? libc : &none, ret);
	ret->is_ready = r >= 0;
	return r;
}

void runtime_process_add_copies(struct runtime_process *p, const struct runtime_copy *copies,
				size_t n)
{
	uint32_t n_ranges = p->n_ranges;

	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n_ranges; k++) {
			uint64_t start = p->ranges[k].start + copies[i].distance;
			uint64_t end = p->ranges[k].end + copies[i].distance;

			if (p->ranges[k].is_code && start < copies[i].end && end > copies[i].start)
				runtime_process_add_range(
					p, start > copies[i].start ? start : copies[i].start,
					end < copies[i].end ? end : copies[i].end, true);
		}
}

static const struct runtime_type *runtime_type_of(enum runtime_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i]->kind == kind)
			return types[i];
	return NULL;
}

static const struct {
	const char *name, *language;
} runtime_names[RUNTIME_KINDS] = {
	[RUNTIME_KIND_NONE] = { "none", "interpreted" },
	[RUNTIME_KIND_PYTHON] = { "python", "Python" },
	[RUNTIME_KIND_JAVA] = { "java", "Java" },
	[RUNTIME_KIND_V8] = { "javascript", "JavaScript" },
	[RUNTIME_KIND_RUBY] = { "ruby", "Ruby" },
	[RUNTIME_KIND_PHP] = { "php", "PHP" },
};

const char *runtime_kind_name(enum runtime_kind kind)
{
	return runtime_names[kind].name;
}

const char *runtime_kind_language(enum runtime_kind kind)
{
	return runtime_names[kind].language;
}

enum runtime_kind runtime_kind_of_name(const char *name, size_t n)
{
	for (int i = RUNTIME_KIND_NONE + 1; i < RUNTIME_KINDS; i++)
		if (strlen(runtime_names[i].name) == n && !strncmp(name, runtime_names[i].name, n))
			return (enum runtime_kind)i;
	return RUNTIME_KIND_NONE;
}

enum runtime_kind runtime_kind_of_path(const char *path)
{
	size_t n = strlen(RUNTIME_PATH);

	return strncmp(path, RUNTIME_PATH, n) ? RUNTIME_KIND_NONE
					      : runtime_kind_of_name(path + n, strlen(path + n));
}

int runtime_code_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		      struct runtime_code *ret)
{
	const struct runtime_type *t = runtime_type_of((enum runtime_kind)p->kind);

	*ret = (struct runtime_code){ 0 };
	return t ? t->read(p, pid, frame, ret) : -EPROTO;
}
