/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The data that bpf/unwind-tables.h passes to the unwinder in the kernel (bpf/unwind.bpf.h), and
 * the requests of the unwinder. Both sides see most of it at once, in memory.
 *
 *	process ─► maps, sorted by address ─► chunks of an image ─► rows ─► rules
 */
#include <linux/types.h>

#include "dwarf/unwind/flat-rule.h"

/*
 * The layout in which the host's kernel keeps the registers of a task: struct pt_regs. Offsets are
 * in bytes.
 */
struct unwind_host {
	__u32 pc, sp, fp;
	__u32 lr;                        /* 0: none, because calls push the return address */
	__u32 mode;                      /* the word that contains the mode */
	__u32 user_mask, user_value;     /* mask and value that mean user mode */
	__u32 native_mask, native_value; /* user mode, 64 bits */
	/* The frame of a signal handler, relative to the stack pointer. */
	__u32 signal_pc, signal_sp, signal_fp, signal_lr;
	__u64 address_mask; /* excludes the bits of pointer authentication */
	/* The namespace whose task numbers are reported; 0: the initial namespace. */
	__u64 pid_ns_device, pid_ns_inode;
};

/* A number that is even while the tables are consistent, and changes each time they are changed. */
struct unwind_shared {
	__u64 epoch;
};

/*
 * The states of a table. Two rows (FLAT_ROW()) are in each element of the map `unwind_rows`: the
 * even one is the lower half.
 */

enum {
	UNWIND_UNLOADED, /* the program requests it */
	UNWIND_ASKED,
	UNWIND_LOADED,
};

struct unwind_table {
	__u32 first; /* number of its first row */
	__u16 n;
	__u16 state;
};

/* FLAT_CHUNK_SIZE bytes of an image. */
struct unwind_chunk {
	struct unwind_table tables[2]; /* for callers, for interrupted code: enum flat_table */
};

/* A mapping of code. The chunk at an address is first + (address - shift) / FLAT_CHUNK_SIZE. */
struct unwind_mapped {
	__u64 start, end, shift;
	__u32 first_chunk, n_chunks;
};

/*
 * The mappings of a process when it was looked at. The program compares two values of the kernel to
 * see whether they are still current: the number of pages of code, and the beginning of the stack,
 * which is random after each exec.
 */
struct unwind_process {
	__u64 code_pages, stack_start;
	__u32 first_map, n_maps;
};

/* A request of the program. */
struct unwind_wish {
	__u32 process; /* for its maps, number in the initial namespace; 0: a chunk */
	__u32 pid;     /* its number in perf's own namespace */
	__u32 chunk, table;
	__u64 code_pages, stack_start;
	__u64 pc; /* for a process: the interrupted address */
	/* For the name of an interpreted frame that was not met before; else 0. */
	__u64 frame[2];
};

#define UNWIND_MAPS_MAX 4096 /* maps of a process; a power of two */

/*
 * More words are never found; a native frame is one, an interpreted frame two. The kernel's own
 * limit is 127 unless an administrator raised it.
 */
#define UNWIND_FRAMES_MAX 2048

/* The result of a walk. */
enum unwind_result {
	UNWIND_DONE,       /* at the outermost function */
	UNWIND_NO_USER,    /* the task has no user mode, or not a 64-bit one */
	UNWIND_NO_TABLES,  /* the process, or the rules of an image, have been requested */
	UNWIND_NO_IMAGE,   /* code without a file: JIT */
	UNWIND_NEEDS_MORE, /* a rule that a flat rule cannot express */
	UNWIND_UNREADABLE, /* memory that cannot be read now */
	UNWIND_TOO_DEEP,   /* more frames than UNWIND_FRAMES_MAX */
	UNWIND_CHANGED,    /* the tables changed meanwhile */
	UNWIND_NO_ROOM,    /* in the ring buffer */
	UNWIND_NO_TASK,    /* a task of another namespace, whose number is unknown */
	UNWIND_RESULTS,
};
