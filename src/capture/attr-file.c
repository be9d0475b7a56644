/* SPDX-License-Identifier: MIT */
#include "capture/attr-file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "wire/attr.h"

static char *attr_file_name(const struct attr_file *f)
{
	return xasprintf("event-%" PRIu32 "-%" PRIu64 "-%d", f->attr->type,
			 (uint64_t)f->attr->config, f->fd);
}

/*
 * Both sizes include all members in use, and kernels accept either. The tests of 6.1 expect the
 * first and those of 7.2 the second; a bar separates equally good values.
 */
#define SIZES "128|136"

#define VALUE(name) text_addf(t, #name "=%" PRIu64 "\n", (uint64_t)a->name)

static void attr_file_print_flags(const struct attr *a, struct text *t)
{
	VALUE(disabled);
	VALUE(inherit);
	VALUE(pinned);
	VALUE(exclusive);
	VALUE(exclude_user);
	VALUE(exclude_kernel);
	VALUE(exclude_hv);
	VALUE(exclude_idle);
	VALUE(mmap);
	VALUE(comm);
	VALUE(freq);
	VALUE(inherit_stat);
	VALUE(enable_on_exec);
	VALUE(task);
	VALUE(watermark);
	VALUE(precise_ip);
	VALUE(mmap_data);
	VALUE(sample_id_all);
	VALUE(exclude_host);
	VALUE(exclude_guest);
	VALUE(exclude_callchain_kernel);
	VALUE(exclude_callchain_user);
	VALUE(mmap2);
	VALUE(comm_exec);
	VALUE(context_switch);
	VALUE(write_backward);
	VALUE(namespaces);
	VALUE(use_clockid);
}

static void attr_file_print_rest(const struct attr *a, struct text *t)
{
	VALUE(wakeup_events);
	VALUE(bp_type);
	VALUE(config1);
	VALUE(config2);
	VALUE(branch_sample_type);
	VALUE(sample_regs_user);
	VALUE(sample_stack_user);
}

void attr_file_print(const struct attr_file *f, struct text *t)
{
	const struct attr *a = f->attr;
	_cleanup_(freep) char *name = attr_file_name(f);

	text_addf(t, "[%s]\nfd=%d\ngroup_fd=%d\ncpu=%d\npid=%d\nflags=%lu\n", name, f->fd,
		  f->group_fd, f->cpu, (int)f->pid, f->flags);
	VALUE(type);
	if (a->config3 || a->config4)
		text_addf(t, "size=%zu\n", sizeof(*a));
	else
		text_add(t, "size=" SIZES "\n");
	VALUE(config);
	VALUE(sample_period);
	VALUE(sample_type);
	VALUE(read_format);
	attr_file_print_flags(a, t);
	attr_file_print_rest(a, t);
}

void attr_file_write(const struct attr_file *f)
{
	const char *folder = getenv("PERF_TEST_ATTR");
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *name = NULL, *path = NULL;

	if (!folder || !*folder)
		return;
	name = attr_file_name(f);
	path = xasprintf("%s/%s", folder, name);
	attr_file_print(f, &t);

	_cleanup_(closep) int fd = output_file_open(path, OUTPUT_NEW, 0644, &diag);

	if (fd >= 0)
		(void)!file_write(fd, t.chars, t.length);
}
