/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of an image, for the files of this layer that load them. Others know symbolizer.h.
 *
 * The key never changes. Until `loaded` is set everything else belongs to the thread that holds
 * `lock`; from then on it does not change either, and needs no lock. What can become known later
 * is atomic: `remark` and `source`.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "symbol/symbolizer.h"
#include "symbol/table.h"

struct elf_file;
struct jit_code;
struct source;

struct image {
	struct symbolizer *symbolizer;
	uint64_t hash;      /* of its key */
	struct image *next; /* with the same hash */
	enum image_kind kind;
	char *name;
	char *long_name, *short_name;
	int32_t pid;
	uint64_t mount_ns;
	struct build_id asked_id; /* of the key; size 0: none */
	struct build_id build_id; /* once it is loaded: the same, or that of its file */
	uint64_t start, end;
	struct file_id file;         /* of the first map of it */
	uint64_t map_start, map_end; /* where process @pid has it mapped */

	pthread_mutex_t lock;
	_Atomic(bool) loaded;
	enum image_missing missing;
	enum image_origin origin;
	bool only_public;             /* it has no symbols but those that other files can see */
	_Atomic(const char *) remark; /* static text, or NULL */
	char *wanted_path;
	char *refusal; /* of an IMAGE_FOREIGN_MAP; else NULL */
	const char
		*kernel_path; /* of the vmlinux, which belongs to the kernel's symbols; or NULL */
	struct symbol_table own;
	struct symbol_table *symbols;    /* @own, or a table of the kernel's; NULL: none */
	struct symbol whole;             /* of an IMAGE_BPF */
	const struct jit_code *made;     /* of an IMAGE_JITDUMP, whose layer @start is */
	_Atomic(struct source *) source; /* lines and inlined functions, once asked for */
};

/* Each finds symbols for @im in its way, or says in @im->missing why there are none. */
void image_load_user(struct image *im);
void image_load_vdso(struct image *im);
void image_load_jit(struct image *im);
void image_load_kernel(struct image *im);
void image_load_module(struct image *im);

/* The recording was made on this machine: what it says of inodes can be compared. */
bool symbolizer_is_here(const struct symbolizer *s);

/* When it began, in nanoseconds of the wall clock; 0: not known. */
uint64_t symbolizer_since(const struct symbolizer *s);

/* What the recorder keeps open of mapped files; or NULL. */
struct kept_files *symbolizer_kept(const struct symbolizer *s);

/* Opens @path if it can be the file of @im: -ESTALE if its build-id is another one. */
int image_open_build(const struct image *im, const char *path, struct elf_file **ret);

/* Opens the file of an IMAGE_MODULE: the one in the build-id cache, or that which has its name. */
int image_open_module(struct image *im, struct elf_file **ret, enum image_origin *ret_origin);

/* Each opens the file with the code of @im in its way. */
int image_open_user(struct image *im, struct elf_file **ret);
int image_open_vdso(struct image *im, struct elf_file **ret);

/* Where the DWARF of an image is, and what its addresses are there. */
struct dwarf_place {
	struct elf_file *dwarf;
	struct elf_file *code; /* the file that ran, if it is another; or NULL */
	char *path;            /* of @dwarf */
	bool by_offset;        /* addresses are offsets in the file that ran, or else ... */
	uint64_t start;        /* ... of what has the link address 0 */
	bool is_module;        /* ... of its .text */
};

/* Each finds it in its way; what is in @ret is the caller's. -ENODATA: there is none. */
int image_find_dwarf_user(struct image *im, struct dwarf_place *ret);
int image_find_dwarf_vdso(struct image *im, struct dwarf_place *ret);
int image_find_dwarf_kernel(struct image *im, struct dwarf_place *ret);
int image_find_dwarf_module(struct image *im, struct dwarf_place *ret);

/* The debug file of the build-id @id below /usr/lib/debug; NULL: @id is none. The caller frees it.
 */
char *image_debug_path(const struct image *im, const struct build_id *id);

/* Releases what symbol/source.c remembers of an image; NULL is fine. */
void source_free(struct source *s);

/* What failing to open a file means. */
enum image_missing image_missing_from(int error);

/* What image_remark() says from now on, on any thread. Static text, or NULL. */
void image_set_remark(struct image *im, const char *remark);

const struct symbolizer_options *symbolizer_options(const struct symbolizer *s);

/* The demangler for programs, by the options; NULL: names stay as they are. */
symbol_pretty_fn *symbolizer_pretty(const struct symbolizer *s);

/* The same for the names of @im. */
symbol_pretty_fn *image_pretty(const struct image *im);

/*
 * What a debuginfod server has for the image, as a path that the caller frees; NULL: nothing. The
 * image for which no server answered in time gets a remark about it.
 */
char *image_fetch_program(struct image *im, const struct build_id *id);
char *image_fetch_debug_file(struct image *im, const struct build_id *id);

struct jit_dump;

/* A jit-PID.dump of process @pid that could not be read; or NULL. */
const struct jit_dump *symbolizer_failed_dump(struct symbolizer *s, int32_t pid);

struct kernel_symbols;

/* The kernel's symbols, loaded at the first call. Owned by @s. */
struct kernel_symbols *symbolizer_kernel(struct symbolizer *s);

/* The same of the guest that is process @pid; 0: of any. */
struct kernel_symbols *symbolizer_guest_kernel(struct symbolizer *s, int32_t pid);
