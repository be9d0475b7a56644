/* SPDX-License-Identifier: MIT */
#include "measure/off-cpu-sample.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "bpf/off-cpu.h"
#include "kernel/kallsyms-text.h"
#include "wire/sample.h"

/* Frames of a program and of who runs it: no more than these. */
#define PROGRAM_FRAMES 12

/* A marker before each part of the chain. */
#define CHAIN_MAX (OFF_CPU_FRAMES + 2)

void off_cpu_lay_out(struct attr *attr, uint64_t leaf_regs)
{
	attr->sample_type = (attr->sample_type & PERF_SAMPLE_IDENTIFIER) | PERF_SAMPLE_IP |
			    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->sample_stack_user = 0;
	attr->sample_regs_intr = 0;
	attr->sample_regs_user = leaf_regs;
	attr->branch_sample_type = 0;
	attr->exclude_callchain_user = attr->exclude_callchain_kernel = 0;
	if (leaf_regs)
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
}

static bool off_cpu_sample_is_called(const struct kallsyms_line *l, const char *name)
{
	return !l->module && l->name_length == strlen(name) &&
	       !memcmp(l->name, name, l->name_length);
}

void off_cpu_layout_find_scheduler(struct off_cpu_layout *l)
{
	_cleanup_(freep) char *text = NULL;
	struct kallsyms_line line;
	size_t size;

	if (file_read(AT_FDCWD, "/proc/kallsyms", KALLSYMS_SIZE_MAX, &text, &size) < 0)
		return;
	for (const char *at = text, *end = text + size;
	     !l->scheduler_end && kallsyms_next(&at, end, &line);) {
		if (off_cpu_sample_is_called(&line, "__sched_text_start"))
			l->scheduler_start = line.addr;
		else if (off_cpu_sample_is_called(&line, "__sched_text_end"))
			l->scheduler_end = line.addr;
	}
}

/* How many frames are not of the task that waits. */
static size_t program_frames(const struct off_cpu_layout *l, const struct off_cpu_time *t)
{
	for (size_t i = 0; i < t->n_kernel && i < PROGRAM_FRAMES; i++)
		if (t->kernel[i] >= l->scheduler_start && t->kernel[i] < l->scheduler_end)
			return i;
	return 0;
}

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* Returns how many words the chain has. As in the kernel's own, the limit is of both parts. */
static size_t make_chain(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			 uint64_t chain[CHAIN_MAX])
{
	size_t max = l->attr.sample_max_stack ? l->attr.sample_max_stack : OFF_CPU_FRAMES;
	size_t n = 0, skip = program_frames(l, t);
	size_t n_kernel = at_most(t->n_kernel - skip, max);
	size_t n_user = at_most(t->n_user, max - n_kernel);

	if (n_kernel)
		chain[n++] = PERF_CONTEXT_KERNEL;
	for (size_t i = 0; i < n_kernel; i++)
		chain[n++] = t->kernel[skip + i];
	if (n_user)
		chain[n++] = PERF_CONTEXT_USER;
	for (size_t i = 0; i < n_user; i++)
		chain[n++] = t->user[i];
	return n;
}

void off_cpu_sample_encode(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			   struct bytes *out)
{
	uint64_t chain[CHAIN_MAX];
	size_t n = make_chain(l, t, chain);
	bool in_kernel = n && chain[0] == (uint64_t)PERF_CONTEXT_KERNEL;
	const struct sample s = {
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.id = l->id,
		.ip = n ? chain[1] : 0,
		.pid = t->tgid,
		.tid = t->tid,
		.time = t->end_ns ? t->end_ns : SAMPLE_TIME_SUM,
		.cpu = t->cpu,
		.period = t->ns,
		.chain = { .bytes = (const uint8_t *)chain, .n = n },
		.user_regs = { .abi = t->link ? REGS_ABI_64 : 0,
			       .mask = l->attr.sample_regs_user,
			       .values = { .bytes = (const uint8_t *)&t->link, .n = 1 } },
	};

	/* A record has room for far more than the frames of a wait. */
	sample_encode(&s, &l->attr, out);
}
