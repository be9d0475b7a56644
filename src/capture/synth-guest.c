/* SPDX-License-Identifier: MIT */
/*
 * Kernels of guests and their modules, of which the host's kernel knows nothing. Their addresses
 * come from copies of their /proc/kallsyms and /proc/modules, or from their mounted root
 * directories.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "capture/synth-internal.h"
#include "kernel/kernel-text.h"

static void synth_guest_add_map(const struct synth_plan *p, uint32_t pid,
				const struct record_mmap *m, struct bytes *out)
{
	struct record r = { .header = { .type = PERF_RECORD_MMAP,
					.misc = PERF_RECORD_MISC_GUEST_KERNEL },
			    .mmap = *m };

	r.mmap.pid = pid;
	synth_add(p, &r, out);
}

static void synth_guest_add_modules(const struct synth_plan *p, uint32_t pid, const char *path,
				    struct bytes *out)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list modules = { 0 };

	if (kernel_modules_read_file(path, &modules) < 0)
		return;
	for (size_t i = 0; i < modules.n; i++) {
		_cleanup_(freep) char *name = xasprintf("[%s]", modules.items[i].name);
		const struct record_mmap m = { .addr = modules.items[i].start,
					       .len = modules.items[i].size_bytes,
					       .filename = name };

		synth_guest_add_map(p, pid, &m, out);
	}
}

static void synth_guest_add_kernel(const struct synth_plan *p, uint32_t pid, const char *path,
				   struct bytes *out)
{
	_cleanup_(freep) char *name = NULL;
	struct kernel_text t;

	if (kernel_text_read_file(path, &t) < 0)
		return;
	name = pid ? xasprintf("[guest.kernel.kallsyms.%u]%s", pid, t.reference)
		   : xasprintf("[guest.kernel.kallsyms]%s", t.reference);
	synth_guest_add_map(p, pid,
			    &(struct record_mmap){ .addr = t.start,
						   .len = t.end - t.start,
						   .pgoff = t.start,
						   .filename = name },
			    out);
}

/* Adds the guest that is process @word, with its root directory mounted at MOUNT/PID. */
static void add_mounted(const struct synth_plan *p, const char *word, struct bytes *out)
{
	_cleanup_(freep) char *kallsyms = xasprintf("%s/%s/proc/kallsyms", p->guests->mount, word);
	_cleanup_(freep) char *modules = xasprintf("%s/%s/proc/modules", p->guests->mount, word);
	uint64_t pid;

	if (!isdigit((unsigned char)*word) || number_parse(word, &pid) < 0 || !pid ||
	    pid > INT32_MAX)
		return;
	synth_guest_add_modules(p, (uint32_t)pid, modules, out);
	synth_guest_add_kernel(p, (uint32_t)pid, kallsyms, out);
}

static void add_all_mounted(const struct synth_plan *p, struct bytes *out)
{
	struct dirent **names;
	int n = scandir(p->guests->mount, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		add_mounted(p, names[i]->d_name, out);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

void synth_guest_kernels(const struct synth_plan *p, struct bytes *out)
{
	if (!p->guests)
		return;
	if (p->guests->modules)
		synth_guest_add_modules(p, 0, p->guests->modules, out);
	if (p->guests->kallsyms)
		synth_guest_add_kernel(p, 0, p->guests->kallsyms, out);
	if (p->guests->mount)
		add_all_mounted(p, out);
}
