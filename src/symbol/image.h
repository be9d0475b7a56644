/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The internals of an image, for the files of this layer that load them. Other code uses
 * symbolizer.h.
 *
 * The key never changes. Until `loaded` is set, everything else belongs to the thread that holds
 * `lock`; afterwards it does not change either, and needs no lock. `remark` and `source`, which may
 * be set later, are atomic.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "symbol/symbolizer.h"
#include "symbol/table.h"

struct elf_file;
struct jit_code;
struct runtime_functions;
struct runtime_names;
struct source;

struct image {
	struct symbolizer *symbolizer;
	uint64_t hash;      /* the hash of its key */
	struct image *next; /* the next image with the same hash */
	enum image_kind kind;
	char *name;
	char *long_name, *short_name;
	int32_t pid;
	uint64_t mount_ns;
	struct build_id asked_id; /* the key's; size 0: none */
	/* set once it is loaded: the key's, or that of its file if the key has none */
	struct build_id build_id;
	uint64_t start, end;
	struct file_id file;         /* the file of its first map */
	uint64_t map_start, map_end; /* the range where process @pid has it mapped */

	pthread_mutex_t lock;
	_Atomic(bool) loaded;
	enum image_missing missing;
	enum image_origin origin;
	bool only_public;             /* it has only dynamic symbols */
	_Atomic(const char *) remark; /* static text, or NULL */
	char *wanted_path;
	char *refusal;           /* for image_refusal(); or NULL */
	const char *kernel_path; /* the vmlinux; belongs to kernel_symbols; or NULL */
	struct symbol_table own;
	struct symbol_table *symbols;    /* @own, or a table of kernel_symbols; NULL: none */
	struct symbol_table *given;      /* names that came with the recording; or NULL */
	struct runtime_names *runtime;   /* interpreted functions that are recorded now; or NULL */
	struct symbol whole;             /* the only symbol of an IMAGE_BPF */
	const struct jit_code *jit_code; /* for an IMAGE_JITDUMP; @start is its layer */
	_Atomic(struct source *) source; /* lines and inlined functions; NULL: not used yet */
};

/* Returns the function at @addr from the image's symbols alone, without DWARF; or NULL. */
const struct symbol *image_symbol_listed(struct image *im, uint64_t addr);

/*
 * Load the symbols of @im, one function for each kind; @im->missing gives the reason if there are
 * none.
 */
void image_load_user(struct image *im);
void image_load_vdso(struct image *im);
void image_load_jit(struct image *im);
void image_load_kernel(struct image *im);
void image_load_module(struct image *im);

/* True if the recording was made on this machine, so that its inodes can be compared. */
bool symbolizer_is_here(const struct symbolizer *s);

/* Returns when the recording began, in nanoseconds of the wall clock; 0: unknown. */
uint64_t symbolizer_since(const struct symbolizer *s);

/* Returns the interpreted functions that are recorded now; or NULL. */
struct runtime_functions *symbolizer_functions(const struct symbolizer *s);

/* Returns the mapped files that the recorder keeps open; or NULL. */
struct kept_files *symbolizer_kept(const struct symbolizer *s);

/* Opens @path if it can be the file of @im. -ESTALE: it has another build-id. */
int image_open_build(const struct image *im, const char *path, struct elf_file **ret);

/* Opens the file of an IMAGE_MODULE: from the build-id cache, or by its name. */
int image_open_module(struct image *im, struct elf_file **ret, enum image_origin *ret_origin);

/* Open the file with the code of @im, one function for each kind. */
int image_open_user(struct image *im, struct elf_file **ret);
int image_open_vdso(struct image *im, struct elf_file **ret);

/* The file with the DWARF of an image, and the relation of its addresses to those of the image. */
struct dwarf_place {
	struct elf_file *dwarf;
	struct elf_file *code; /* the file that ran, if it is a different one; or NULL */
	char *path;            /* the path of @dwarf */
	bool by_offset;        /* the image's addresses are offsets in the file that ran */
	uint64_t start;        /* otherwise: the runtime address of link address 0, */
	bool is_module;        /* or, if this is set, of a module's .text */
};

/*
 * Find the DWARF of @im, one function for each kind; the caller owns the contents of @ret.
 * -ENODATA: there is none.
 */
int image_find_dwarf_user(struct image *im, struct dwarf_place *ret);
int image_find_dwarf_vdso(struct image *im, struct dwarf_place *ret);
int image_find_dwarf_kernel(struct image *im, struct dwarf_place *ret);
int image_find_dwarf_module(struct image *im, struct dwarf_place *ret);

/*
 * Returns the path of the debug file with build-id @id below /usr/lib/debug; NULL if @id is empty.
 * The caller frees it.
 */
char *image_debug_path(const struct image *im, const struct build_id *id);

/* Releases the cache of symbol/source.c for an image; accepts NULL. */
void source_free(struct source *s);

/* Returns the reason for an error of opening a file. */
enum image_missing image_missing_from(int error);

/* Sets the result of image_remark(), from any thread: static text, or NULL. */
void image_set_remark(struct image *im, const char *remark);

const struct symbolizer_options *symbolizer_options(const struct symbolizer *s);

/* Returns the cache to which files are written (buildid_cache_kept_path()), or NULL. */
const char *symbolizer_kept_dir(const struct symbolizer *s);

/* Returns the demangler for programs, according to the options; NULL: names are not demangled. */
symbol_pretty_fn *symbolizer_pretty(const struct symbolizer *s);

/* Returns the demangler for @im. */
symbol_pretty_fn *image_pretty(const struct image *im);

/*
 * Fetch a file for the image from a debuginfod server, and return its path, which the caller frees,
 * or NULL. If no server answers in time, the image gets a remark.
 */
char *image_fetch_program(struct image *im, const struct build_id *id);
char *image_fetch_debug_file(struct image *im, const struct build_id *id);

struct jit_dump;

/* Returns a jit-PID.dump of process @pid that could not be read; or NULL. */
const struct jit_dump *symbolizer_failed_dump(struct symbolizer *s, int32_t pid);

struct kernel_symbols;

/* Returns the kernel's symbols, loaded at the first call. Owned by @s. */
struct kernel_symbols *symbolizer_kernel(struct symbolizer *s);

/* Does the same for the guest that is process @pid; 0: any guest. */
struct kernel_symbols *symbolizer_guest_kernel(struct symbolizer *s, int32_t pid);
