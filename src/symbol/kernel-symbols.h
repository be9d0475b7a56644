/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols of a recorded kernel. They come from, in this order: the list or vmlinux that the user
 * named; a vmlinux with the same build-id in the usual places; the list in the build-id cache; the
 * running kernel's list, if it is the same build and there is no symfs.
 *
 * Addresses are moved to those of the recorded kernel, by the distance of the reference symbol.
 * Modules do not move with the kernel: if the list is of another boot of the running kernel, the
 * modules' symbols are read from the running kernel when they are first needed.
 */
#include <pthread.h>

#include "symbol/kallsyms.h"
#include "symbol/symbolizer.h"

struct kernel_request {
	const struct symbolizer_options *options;
	struct build_id build_id; /* the recorded kernel's; size 0: unknown */
	const char *reference;    /* NULL: addresses are not moved */
	uint64_t reference_addr;
	const char *release; /* NULL: unknown */
	symbol_pretty_fn *pretty;
	bool is_guest;
	int32_t guest_pid; /* the process of its virtual machine; 0: not known */
};

struct kernel_symbols {
	enum image_missing missing; /* IMAGE_LOADED: there is a list or a vmlinux */
	struct kallsyms *kallsyms;  /* or NULL */
	struct symbol_table vmlinux;
	char *path; /* the path of the vmlinux, or NULL */
	/* From the request, to find and place other files of this kernel. */
	struct build_id build_id;
	char *reference; /* or NULL */
	uint64_t reference_addr;
	bool modules_are_elsewhere;
	pthread_mutex_t lock;     /* guards the members below */
	struct kallsyms *running; /* the running kernel's list, for modules; NULL: not read yet */
};

typedef int kernel_file_fn(void *arg, const char *path);

/*
 * Calls @take with the paths at which the vmlinux of the kernel may be, in order, until it
 * succeeds. Returns its last result; -ENOENT: there is no such path.
 */
int kernel_files_try(const struct kernel_request *r, kernel_file_fn *take, void *arg);

/* Loads the symbols. Never returns NULL; @r need not outlive the call. */
struct kernel_symbols *kernel_symbols_load(const struct kernel_request *r);
void kernel_symbols_free(struct kernel_symbols *k);

/* Returns the distance of the recorded kernel from the link addresses of its file @f. */
uint64_t kernel_symbols_distance(const struct kernel_symbols *k, struct elf_file *f);

/* Returns the symbols of the kernel itself, or NULL. */
struct symbol_table *kernel_symbols_table(struct kernel_symbols *k);

/* Finds the address of the symbol @name of the kernel itself; false: there is none. */
bool kernel_symbols_address(struct kernel_symbols *k, const char *name, uint64_t *ret);

/* Returns the symbols of the module @name from the list, or NULL. May be called from any thread. */
struct symbol_table *kernel_symbols_module(struct kernel_symbols *k, const char *name);
