/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the symbols of a recorded kernel come from, in this order: the list or vmlinux that the
 * user named; a vmlinux of the same build-id in the usual places; the list in the build-id cache,
 * or that of the running kernel if it is the same build and no symfs is another machine's.
 *
 * Addresses are moved to where the recorded kernel had them: the reference symbol says how far.
 * That cannot be said of modules: where a list is of another boot of the running kernel, theirs are
 * read from the running one, once somebody asks.
 */
#include <pthread.h>

#include "symbol/kallsyms.h"
#include "symbol/symbolizer.h"

struct kernel_request {
	const struct symbolizer_options *options;
	struct build_id build_id; /* of the recorded kernel; size 0: unknown */
	const char *reference;    /* NULL: addresses are what they are */
	uint64_t reference_addr;
	const char *release; /* NULL: unknown */
	symbol_pretty_fn *pretty;
	bool is_guest;
	int32_t guest_pid; /* of its virtual machine; 0: not known */
};

struct kernel_symbols {
	enum image_missing missing; /* IMAGE_LOADED: there is a list or a vmlinux */
	struct kallsyms *kallsyms;  /* or NULL */
	struct symbol_table vmlinux;
	char *path; /* of the vmlinux, or NULL */
	/* What was asked for, by which other files of this kernel are found and placed. */
	struct build_id build_id;
	char *reference; /* or NULL */
	uint64_t reference_addr;
	bool modules_are_elsewhere;
	pthread_mutex_t lock;     /* of what follows */
	struct kallsyms *running; /* for the modules that are elsewhere; NULL: not read yet */
};

typedef int kernel_file_fn(void *arg, const char *path);

/*
 * Calls @take with the places where the vmlinux of the kernel may be, in that order, until it
 * returns no error. Returns what it returned last; -ENOENT: there is none.
 */
int kernel_files_try(const struct kernel_request *r, kernel_file_fn *take, void *arg);

/* Never NULL; @r need not outlive the call. */
struct kernel_symbols *kernel_symbols_load(const struct kernel_request *r);
void kernel_symbols_free(struct kernel_symbols *k);

/* How far the recorded kernel lay from the link addresses of its file @f. */
uint64_t kernel_symbols_distance(const struct kernel_symbols *k, struct elf_file *f);

/* The symbols of the kernel itself, or NULL. */
struct symbol_table *kernel_symbols_table(struct kernel_symbols *k);

/* The symbols of the module @name from the list, or NULL. From any thread. */
struct symbol_table *kernel_symbols_module(struct kernel_symbols *k, const char *name);
