/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Members of the kernel's structs of a task that several programs read, by their names in its BTF.
 */
struct thread_info {
	unsigned long flags;
} __attribute__((preserve_access_index));

struct mm_struct {
	unsigned long exec_vm, start_stack;
} __attribute__((preserve_access_index));

struct task_struct {
	struct thread_info thread_info;
	struct mm_struct *mm;
	struct task_struct *real_parent;
	unsigned int flags;
	int pid, tgid;
} __attribute__((preserve_access_index));
