/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of an image, for the files of this layer that load them. Others know symbolizer.h.
 *
 * Until `loaded` is set everything but the key belongs to the thread that holds `lock`; from then
 * on nothing changes.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "symbol/symbol-table.h"
#include "symbol/symbolizer.h"

struct image {
	struct symbolizer *symbolizer;
	struct image *next; /* with the same hash */
	enum image_kind kind;
	char *name;
	char *long_name, *short_name;
	int32_t pid;
	struct build_id build_id;
	uint64_t start, end;

	pthread_mutex_t lock;
	_Atomic(bool) loaded;
	enum image_missing missing;
	char *wanted_path;
	const char
		*kernel_path; /* of the vmlinux, which belongs to the kernel's symbols; or NULL */
	struct symbol_table own;
	struct symbol_table *symbols; /* @own, or a table of the kernel's; NULL: none */
	struct symbol whole;          /* of an IMAGE_BPF */
};

/* Each finds symbols for @im in its way, or says in @im->missing why there are none. */
void image_load_user(struct image *im);
void image_load_vdso(struct image *im);
void image_load_jit(struct image *im);
void image_load_kernel(struct image *im);
void image_load_module(struct image *im);

/* Each opens the file with the code of @im in its way. */
int image_open_user(struct image *im, struct elf_file **ret);
int image_open_vdso(struct image *im, struct elf_file **ret);

/* What failing to open a file means. */
enum image_missing image_missing_from(int error);

const struct symbolizer_options *symbolizer_options(const struct symbolizer *s);

/* The demangler for programs, by the options; NULL: names stay as they are. */
symbol_pretty_fn *symbolizer_pretty(const struct symbolizer *s);

struct kernel_symbols;

/* The kernel's symbols, loaded at the first call. Owned by @s. */
struct kernel_symbols *symbolizer_kernel(struct symbolizer *s, bool guest);
