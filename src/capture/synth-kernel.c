/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/recorded-event.h"
#include "capture/synth-internal.h"
#include "elf/build-id.h"
#include "kernel/kernel-notes.h"
#include "kernel/kernel-text.h"

/* Maps of the kernel belong to no process. */
#define KERNEL_PID UINT32_MAX

static void synth_kernel_add_map(const struct synth_plan *p, const struct record_mmap *m,
				 struct bytes *out)
{
	struct record r = { .header.misc = PERF_RECORD_MISC_KERNEL, .mmap = *m };

	r.mmap.pid = KERNEL_PID;
	r.header.type = p->kernel_build_ids ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP;
	if (m->build_id.size)
		r.header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	synth_add(p, &r, out);
}

/* Adds the kernel's text. If its end is not known, it ends at the first module above. */
static void synth_kernel_add(const struct synth_plan *p, const struct kernel_text *t,
			     const struct kernel_module_list *modules, struct bytes *out)
{
	_cleanup_(freep) char *name = xasprintf("[kernel.kallsyms]%s", t->reference);
	struct record_mmap m = { .addr = t->start, .pgoff = t->start, .filename = name };
	uint64_t end = t->end;

	for (size_t i = 0; i < modules->n && end == UINT64_MAX; i++)
		if (modules->items[i].start > t->start)
			end = modules->items[i].start;
	m.len = end - t->start;
	if (p->kernel_build_ids)
		(void)build_id_of_kernel(&m.build_id);
	synth_kernel_add_map(p, &m, out);
}

static void add_module(const struct synth_plan *p, const struct kernel_module *module,
		       struct bytes *out)
{
	_cleanup_(freep) char *name = module->path ? xstrdup(module->path)
						   : xasprintf("[%s]", module->name);
	struct record_mmap m = {
		.addr = module->start,
		.len = module->size_bytes,
		.filename = name,
	};

	if (p->kernel_build_ids)
		(void)build_id_of_module(module->name, &m.build_id);
	synth_kernel_add_map(p, &m, out);
}

static bool sees_kernel(const struct synth_plan *p)
{
	for (size_t i = 0; i < p->n_events; i++)
		if (!p->events[i].attr.exclude_kernel)
			return true;
	return false;
}

void synth_kernel(const struct synth_plan *p, struct bytes *out)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list modules = { 0 };
	struct kernel_text text;
	const char *root = p->root ? p->root : "";
	struct utsname uts;

	if (!sees_kernel(p) || kernel_text_read(root, &text) < 0 || uname(&uts) < 0)
		return;
	(void)kernel_modules_read(root, uts.release, &modules);
	synth_kernel_add(p, &text, &modules, out);
	for (size_t i = 0; i < modules.n; i++)
		add_module(p, &modules.items[i], out);
}
