/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request that says where names come from and how they are written, for everything that turns
 * addresses into functions and lines. Paths are borrowed.
 */
#include <stdbool.h>

#include "base/choice.h"

struct symbol_request {
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	/*
	 * For guests: the same two files, and DIR, where DIR/PID is the root directory of each
	 * guest.
	 */
	const char *guest_vmlinux, *guest_kallsyms, *guest_mount;
	bool guest_code;             /* the code of a guest is in its hypervisor's process */
	enum choice demangle;        /* not given: yes */
	enum choice demangle_kernel; /* not given: no */
	enum choice inlines;         /* unset: if perf unwound the stack */
	bool full_source_path;
	bool stitch_lbr;
};
