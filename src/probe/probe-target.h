/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The target of probes: the kernel, a module (loaded, or its file), or a program or library. It has
 * symbols, and debug information once that is needed and found.
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
	int ns_pid;              /* the process whose mount namespace is used; 0: ours */
	bool offline;            /* for a kernel that does not run: only definitions are made */
	bool no_demangle;
	struct progress *progress; /* borrowed, or NULL */
};

/* Opens the target. -ENOENT and others with @diag: no such file, no such module, ... */
int probe_target_open(const struct probe_target_options *o, struct probe_target **ret,
		      struct diag *diag);
void probe_target_free(struct probe_target *t);
DEFINE_FREEP(probe_target)

enum probe_target_kind probe_target_kind(const struct probe_target *t);

/*
 * Returns the target's name in definitions: the resolved path of a program, a module's name; NULL:
 * the kernel.
 */
const char *probe_target_name(const struct probe_target *t);

/* Returns the machine of the target; NULL: unknown. */
const struct arch *probe_target_arch(struct probe_target *t);

/*
 * Opens the target's debug information at the first call. -ENODATA with @diag: there is none; the
 * hint names the package or the debuginfod command that provides it.
 */
int probe_target_debug(struct probe_target *t, struct debug_info **ret, struct diag *diag);

/* A function or variable, found by name or by an address in it. */
struct probe_symbol {
	const char *name;   /* as the symbol table has it; belongs to the target */
	uint64_t addr;      /* link address; for a running kernel the real one */
	uint64_t size;      /* 0: unknown */
	const char *module; /* the running kernel's module; or NULL: the kernel itself */
	size_t module_length;
	uint32_t section; /* the section in an ELF file; otherwise 0 */
	char binding;     /* 'g' global, 'l' local, 'w' weak, 'u' unique; 0: unknown */
	bool is_function;
	bool is_ifunc; /* it returns the function that is called instead (ifunc) */
	bool is_label; /* it has no type */
};

/*
 * Calls @each for all symbols called @name, by address. @name is a glob if it has a glob character;
 * NULL: all symbols. For the running kernel, symbols of its modules are included. Returns how many
 * there are, or an error with @diag (symbols are hidden, or stripped).
 */
int probe_target_functions(struct probe_target *t, const char *name,
			   void (*each)(void *arg, const struct probe_symbol *s), void *arg,
			   struct diag *diag);

/*
 * Finds the link address (as debug_place_at() takes it) of @p, an existing probe in @t. False: it
 * is not known.
 */
bool probe_target_address(struct probe_target *t, const struct trace_probe *p, uint64_t *ret);

/*
 * Finds the function with code at @addr (a link address of the debug information); false: there is
 * none.
 */
bool probe_target_symbol(struct probe_target *t, uint64_t addr, struct probe_symbol *ret);

/* The reasons why no probe can stand at a place. */
#define TARGET_OUT_OF_TEXT "out of .text"
#define TARGET_BLACKLISTED "blacklisted function"

/* A place in the kernel's notation. */
struct target_point {
	const char *symbol; /* NULL: @offset is in the program's file */
	uint64_t offset;
	bool is_function;    /* @symbol is the function around it, not a distant reference */
	const char *refused; /* one of the reasons above, or NULL */
};

/*
 * Finds the place of @addr in the kernel's notation. @is_link: @addr comes from the debug
 * information, otherwise from probe_target_functions(). -EINVAL with @diag: there is nothing at
 * @addr.
 */
int probe_target_point(struct probe_target *t, uint64_t addr, bool is_link,
		       struct target_point *ret, struct diag *diag);

/* Hints that a program has only its dynamic symbols, if that is so, and how to get the rest. */
void probe_target_hint_stripped(struct probe_target *t, struct diag *diag);

/* True if the target is a kernel that does not run and is known only from a file. */
bool probe_target_is_offline(const struct probe_target *t);

/*
 * True if the vmlinux that the user named is that of the running kernel, or if that cannot be
 * known.
 */
bool probe_target_is_running(const struct probe_target *t);

/* Opens the loaded module @name of the kernel @t. */
int probe_target_open_module(const struct probe_target *t, const char *name,
			     struct probe_target **ret, struct diag *diag);
