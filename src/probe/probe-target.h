/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The target of probes: the kernel, a module (loaded, or its file), or a program or library; with
 * its symbols, and with its debug information once that is needed and found.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct arch;
struct debug_info;
struct diag;
struct elf_file;
struct progress;
struct probe_target;
struct trace_probe;

enum probe_target_kind {
	PROBE_KERNEL,
	PROBE_MODULE,
	PROBE_PROGRAM,
};

/* Everything is borrowed until probe_target_free(). */
struct probe_target_options {
	const char *program; /* -x */
	const char *module;  /* -m: a name or a path */
	const char *vmlinux; /* -k */
	const char *symfs;
	const char *buildid_dir; /* root of the cache (symbol/buildid/cache.h); NULL: none */
	int ns_pid;              /* whose mount namespace; 0: ours */
	bool offline;            /* for a kernel that does not run: definitions only */
	bool no_demangle;
	struct progress *progress; /* borrowed, or NULL */
};

/* -ENOENT and others with @diag: no such file, no such module, ... */
int probe_target_open(const struct probe_target_options *o, struct probe_target **ret,
		      struct diag *diag);
void probe_target_free(struct probe_target *t);
DEFINE_FREEP(probe_target)

enum probe_target_kind probe_target_kind(const struct probe_target *t);

/*
 * The target's name in definitions: the resolved path of a program, a module's name; NULL: the
 * kernel.
 */
const char *probe_target_name(const struct probe_target *t);

/* The machine of what is probed; NULL: unknown. */
const struct arch *probe_target_arch(struct probe_target *t);

/*
 * Its debug information, opened at the first call. -ENODATA with @diag: there is none; the hint
 * names the package or the debuginfod command that brings it.
 */
int probe_target_debug(struct probe_target *t, struct debug_info **ret, struct diag *diag);

/* A function or variable by name, or where an address lies. */
struct probe_symbol {
	const char *name;   /* as the symbol table has it; belongs to the target */
	uint64_t addr;      /* link address; of a running kernel its real one */
	uint64_t size;      /* 0: unknown */
	const char *module; /* of the running kernel's; or NULL: its own */
	size_t module_length;
	uint32_t section; /* of an ELF file; else 0 */
	char binding;     /* 'g' global, 'l' local, 'w' weak, 'u' unique; 0: unknown */
	bool is_function;
	bool is_ifunc; /* returns the function that is called in its place (IFUNC) */
	bool is_label; /* has no type */
};

/*
 * Calls @each for all symbols called @name (a glob if it has one of its characters; NULL: all), by
 * address; of the running kernel also for those of its modules. Returns how many, or an error with
 * @diag (symbols are hidden, or stripped).
 */
int probe_target_functions(struct probe_target *t, const char *name,
			   void (*each)(void *arg, const struct probe_symbol *s), void *arg,
			   struct diag *diag);

/*
 * The link address (as debug_place_at() takes it) of @p, an existing probe in @t. False: it is not
 * known.
 */
bool probe_target_address(struct probe_target *t, const struct trace_probe *p, uint64_t *ret);

/* The function with code at @addr (a link address of the debug information); false: none. */
bool probe_target_symbol(struct probe_target *t, uint64_t addr, struct probe_symbol *ret);

/* Why no probe can stand at a place. */
#define TARGET_OUT_OF_TEXT "out of .text"
#define TARGET_BLACKLISTED "blacklisted function"

/* A place in the kernel's notation. */
struct target_point {
	const char *symbol; /* NULL: @offset is in the program's file */
	uint64_t offset;
	bool is_function;    /* @symbol is the function around it, and no distant reference */
	const char *refused; /* one of these, or NULL */
};

/*
 * The place of @addr in the kernel's notation; @is_link: @addr comes from the debug information,
 * otherwise from probe_target_functions(). -EINVAL with @diag: there is nothing at @addr.
 */
int probe_target_point(struct probe_target *t, uint64_t addr, bool is_link,
		       struct target_point *ret, struct diag *diag);

/* Says that a program has only its dynamic symbols, if that is so, and how to get the rest. */
void probe_target_hint_stripped(struct probe_target *t, struct diag *diag);

/* Is the target a kernel that does not run, known only from a file? */
bool probe_target_is_offline(const struct probe_target *t);

/* Is the vmlinux that the user named that of the running kernel? True if it cannot be known. */
bool probe_target_is_running(const struct probe_target *t);

/* Opens the loaded module @name of the kernel @t. */
int probe_target_open_module(const struct probe_target *t, const char *name,
			     struct probe_target **ret, struct diag *diag);
