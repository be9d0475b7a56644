/* SPDX-License-Identifier: MIT */
/*
 * The program that a probe runs for `perf bench uprobe`: it does nothing, or writes a line to the
 * trace buffer.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "bpf/about.bpf.h"

SEC("kprobe")
int empty(void *context)
{
	(void)context;
	return 0;
}

SEC("kprobe")
int print(void *context)
{
	static const char text[] = "perf bench uprobe\n";

	(void)context;
	bpf_trace_printk(text, sizeof(text));
	return 0;
}
