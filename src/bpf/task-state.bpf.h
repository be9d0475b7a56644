/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads the state of a task: 0 if it runs or could run. */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* The member was called `state` before Linux 5.14. */
struct task_struct___new {
	unsigned int __state;
} __attribute__((preserve_access_index));

struct task_struct___old {
	long state;
} __attribute__((preserve_access_index));

static __always_inline __u32 task_state(const void *task)
{
	if (bpf_core_field_exists(((struct task_struct___new *)0)->__state))
		return ((const struct task_struct___new *)task)->__state;
	return ((const struct task_struct___old *)task)->state;
}
