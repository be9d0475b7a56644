/* SPDX-License-Identifier: MIT */
/*
 * Ruby's loop, vm_exec_core(), and vm_exec(), which calls it. Both are static functions, which have
 * no symbols in the images of distributions: rb_iseq_eval() calls the latter, which is the only one
 * of its callees to call a function as large as the former.
 */
#include <string.h>

#include "arch/access.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules.h"
#include "elf/file.h"
#include "runtime/internal.h"

#define FUNCTION_SIZE_MAX ((size_t)64 << 10)
#define CALLEES_MAX       64 /* of rb_iseq_eval() */
#define LOOP_SIZE_MIN     ((uint64_t)8 << 10)
#define LOOP_SIZE_MAX     ((uint64_t)1 << 20)

struct ruby_loop {
	struct elf_file *file;
	struct cfi_rules *rules;
	struct runtime_symbol exec, core; /* as far as they are found */
	int n_tried;
};

/* Gives the function around the link address @addr by its CFI. */
static bool ruby_loop_function(const struct ruby_loop *l, uint64_t addr, struct runtime_symbol *ret)
{
	uint64_t offset, start, end;

	if (!elf_file_offset(l->file, addr, 0, &offset) ||
	    !cfi_rules_range(l->rules, offset, &start, &end))
		return false;
	*ret = (struct runtime_symbol){ addr - offset + start, end - start };
	return true;
}

/* Does something with the target of a call, or of a jump out of a function. */
typedef void ruby_loop_fn(struct ruby_loop *l, uint64_t target);

static void ruby_loop_each_call(struct ruby_loop *l, struct runtime_symbol f, ruby_loop_fn *fn)
{
	_cleanup_(freep) uint8_t *code = NULL;
	const struct arch *arch = cfi_rules_arch(l->rules);
	uint64_t offset;

	if (f.size > FUNCTION_SIZE_MAX || !elf_file_offset(l->file, f.start, 0, &offset))
		return;
	code = xcalloc(1, f.size + 1);
	if (cfi_rules_code(l->rules, offset, code, f.size) != f.size)
		return;
	for (size_t at = 0; at < f.size;) {
		struct code_access a;

		if (!code_access_read(arch, code + at, f.size - at, f.start + at, &a))
			return;
		at += a.length;
		if (a.has_target && (a.flow == ACCESS_CALL || a.flow == ACCESS_JUMP) &&
		    a.target - f.start >= f.size)
			fn(l, a.target);
	}
}

static void ruby_loop_take_core(struct ruby_loop *l, uint64_t target)
{
	struct runtime_symbol f;

	if (ruby_loop_function(l, target, &f) && f.start == target && f.size >= LOOP_SIZE_MIN &&
	    f.size <= LOOP_SIZE_MAX && f.size > l->core.size)
		l->core = f;
}

static void ruby_loop_take_exec(struct ruby_loop *l, uint64_t target)
{
	struct runtime_symbol f, before = l->core;

	if (l->n_tried++ >= CALLEES_MAX || !ruby_loop_function(l, target, &f) || f.start != target)
		return;
	ruby_loop_each_call(l, f, ruby_loop_take_core);
	if (l->core.start != before.start)
		l->exec = f;
}

bool ruby_loop_search(struct runtime_image *im, struct elf_file *file, struct cfi_rules *rules)
{
	struct ruby_symbols *s = &im->ruby;
	struct ruby_loop l = {
		.file = file, .rules = rules, .exec = s->exec, .core = s->exec_core
	};

	if (!code_access_knows(cfi_rules_arch(rules)))
		return false;
	if (!l.core.size && l.exec.size)
		ruby_loop_each_call(&l, l.exec, ruby_loop_take_core);
	if (!l.core.size || !l.exec.size)
		ruby_loop_each_call(&l, s->eval, ruby_loop_take_exec);
	if (!l.core.size || !l.exec.size)
		return false;
	s->exec = l.exec;
	s->exec_core = l.core;
	if (!runtime_image_add_range(im, l.core.start, l.core.start + l.core.size, false) ||
	    !runtime_image_add_range(im, l.exec.start, l.exec.start + l.exec.size, false))
		return false;
	im->ranges[1].is_outer = 1;
	return true;
}
