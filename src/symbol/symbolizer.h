/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names for addresses: the images of a profile (programs, libraries, the kernel and its modules,
 * JIT code) and their functions.
 *
 * A symbolizer owns its images; whoever asks twice for the same one gets the same pointer, good
 * until symbolizer_free() or symbolizer_forget(). No file is opened before the first
 * image_symbol_find() of an image, which loads it under its lock; every later one takes no lock and
 * costs O(log n). All functions may be called from any thread. Nothing here prints:
 * image_missing_reason() tells why an image has no names.
 *
 * Addresses: @addr is an offset in the file (ip - map.start + map.pgoff) for IMAGE_USER and
 * IMAGE_VDSO, and the address at run time for all others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/file-id.h"
#include "elf/build-id.h"
#include "symbol/symbol.h"

struct elf_file;
struct image;
struct jit_code;
struct kept_files;
struct progress;
struct symbolizer;

/* Everything is borrowed until symbolizer_free(). NULL and false are the usual. */
struct symbolizer_options {
	const char *symfs;         /* all files lie below it, and are not this machine's */
	const char *buildid_dir;   /* as buildid_cache_dir() gives it; NULL: no cache */
	const char *vmlinux;       /* the kernel's ELF file; NULL: look in the usual places */
	const char *kallsyms;      /* a copy of /proc/kallsyms */
	const char *guest_vmlinux; /* the same two for guests */
	const char *guest_kallsyms;
	const char *guest_mount; /* has the root of each guest as DIR/PID */
	bool ignore_vmlinux;
	bool raw_names;       /* do not demangle */
	bool with_parameters; /* C++ functions with their parameters */
	bool demangle_kernel;
	bool kernel_paths;         /* the kernel is called by its vmlinux, a module by its file */
	bool any_owner;            /* read perf-PID.map and jit-PID.dump files of other users too */
	struct progress *progress; /* of downloads; borrowed, or NULL */
};

enum image_kind {
	IMAGE_UNKNOWN, /* memory that no file is behind: [heap], [stack] */
	IMAGE_USER,
	IMAGE_VDSO,
	IMAGE_JIT,     /* anonymous executable memory: names come from /tmp/perf-PID.map */
	IMAGE_JITDUMP, /* code in it that a jit-PID.dump names: symbol/jit-code.h makes them */
	IMAGE_KERNEL,
	IMAGE_MODULE,
	IMAGE_BPF, /* one function, called as the image */
	IMAGE_GUEST_KERNEL,
	IMAGE_GUEST_MODULE,
};

struct image_key {
	enum image_kind kind;
	const char *name;        /* as in the MMAP record; copied */
	int32_t pid;             /* IMAGE_JIT: whose memory; of others one that has it mapped */
	uint64_t mount_ns;       /* the namespace (inode of /proc/PID/ns/mnt) that its name is of,
				    where that is known and not this one; or 0 */
	const uint8_t *build_id; /* or NULL */
	size_t build_id_size;
	uint64_t start, end;         /* IMAGE_MODULE, IMAGE_BPF: where it lay at run time */
	struct file_id file;         /* which of the files with that name, where that is known */
	uint64_t map_start, map_end; /* where @pid has it mapped */
	bool by_path;                /* IMAGE_MODULE: its name is that of its file */
};

struct symbolizer *symbolizer_new(const struct symbolizer_options *o);
void symbolizer_free(struct symbolizer *s);
DEFINE_FREEP(symbolizer)

/*
 * Where the kernel's symbol @name (_text, _stext) was while recording: what the kernel's MMAP
 * record says in its name and pgoff. It tells how far this boot's kernel lies from its symbols
 * (KASLR). Call before the kernel's first lookup.
 */
void symbolizer_kernel_reference(struct symbolizer *s, const char *name, uint64_t addr);

/* What uname -r said on the recorded machine, which files are named by. As above. */
void symbolizer_kernel_release(struct symbolizer *s, const char *release);

/*
 * The recording is of this machine: a file that has another device or inode than the recorded one
 * is another file, and gives no names unless its build-id is the recorded one. @kept has what the
 * recorder keeps open, borrowed; NULL outside of it. Call before the first lookup.
 */
void symbolizer_recorded_here(struct symbolizer *s, struct kept_files *kept);

/*
 * And not before @since_ns, in nanoseconds of the wall clock: what was written to later is not what
 * ran, unless its build-id says so.
 */
void symbolizer_recorded_since(struct symbolizer *s, uint64_t since_ns);

/*
 * The image that @key describes: the same for equal kind, name, build-id and start; for IMAGE_JIT
 * also pid; without a build-id also namespace and file.
 */
struct image *symbolizer_image(struct symbolizer *s, const struct image_key *key);

/* What kind of image the name in a user-space MMAP record stands for. */
enum image_kind image_kind_of_user(const char *name);

enum image_kind image_kind(const struct image *im);

/*
 * Whether users know places in it by their offset from its start, even if @addr is not one: there
 * is, or was, a file behind it.
 */
bool image_is_file(const struct image *im);

/* The name it was asked for with. */
const char *image_name(const struct image *im);

/*
 * What is printed for it, in `script`'s parentheses: the path of a program, "[kernel.kallsyms]",
 * "[nf_tables]" for a module unless it goes by its path, "/tmp/perf-9.map".
 */
const char *image_long_name(const struct image *im);

/*
 * The last part of the long name, as `report` shows it; "[x]" for a module, whatever its path;
 * "[JIT] tid 9" for memory without a file.
 */
const char *image_short_name(const struct image *im);

/* The build-id it was asked for with, or, once loaded, the one its file has; size 0 if unknown. */
const struct build_id *image_build_id(const struct image *im);

/* Which file it was asked for with, of those that have its name. */
const struct file_id *image_file_id(const struct image *im);

/* The function at @addr, or NULL. Loads the image at the first call. The result lives as long as
 * the symbolizer. */
const struct symbol *image_symbol_find(struct image *im, uint64_t addr);

/* The same for the target of a call: where functions overlap, the one that begins there. */
const struct symbol *image_symbol_called(struct image *im, uint64_t addr);

/*
 * Opens the file whose code ran, for who wants more of an IMAGE_USER or IMAGE_VDSO than names. The
 * result is the caller's, and good as long as the symbolizer. -ESTALE: there is only another build;
 * -ENOTSUP: no such kind of image; else as elf_file_open().
 */
int image_open(struct image *im, struct elf_file **ret);

/*
 * Opens the separate debug file of an IMAGE_USER, for who wants of it what the file that ran lacks.
 * As image_open(); -ENODATA: there is none.
 */
int image_open_debug(struct image *im, struct elf_file **ret);

/*
 * The path at which the file of an IMAGE_USER can be read now: its own, or one through a process or
 * the recorder. The caller frees it. -ESTALE: its own path leads to another file; -ENOENT: to none;
 * or another error of opening it. On another machine than the recorded one it is the path that was
 * recorded, whatever is there.
 */
int image_file_path(const struct image *im, char **ret);

enum image_missing {
	IMAGE_LOADED,      /* it has symbols */
	IMAGE_NOT_TRIED,   /* nothing was looked up yet */
	IMAGE_NO_FILE,     /* there is no such file (any more) */
	IMAGE_DELETED,     /* it was deleted, or replaced, before or while it ran */
	IMAGE_ELSEWHERE,   /* it is in a container (another mount namespace) that is gone */
	IMAGE_REPLACED,    /* the file there is another one than that which was mapped */
	IMAGE_OTHER_BUILD, /* the file there is another build: its build-id differs */
	IMAGE_STRIPPED,    /* the file has no symbols */
	IMAGE_ONLY_PUBLIC, /* it has those that other files can see, and no others */
	IMAGE_NOT_ELF,
	IMAGE_UNREADABLE,   /* no permission */
	IMAGE_HIDDEN,       /* kptr_restrict: /proc/kallsyms shows only zeros */
	IMAGE_NO_MAP,       /* there is no /tmp/perf-PID.map */
	IMAGE_BAD_MAP,      /* what should be the map or dump of its names is none */
	IMAGE_FOREIGN_MAP,  /* there is one, of a user who is not trusted: see image_refusal() */
	IMAGE_NOT_BUILT_IN, /* this perf was built without libelf */
	IMAGE_ANONYMOUS,    /* memory that has no file */
};

/* Why there are no names. IMAGE_LOADED of an image that has names at all, though it may lack some.
 */
enum image_missing image_missing_reason(const struct image *im);

/* The same for one in which some address has no name: IMAGE_ONLY_PUBLIC instead of IMAGE_LOADED. */
enum image_missing image_unnamed_reason(const struct image *im);

/* Why the map or dump of an IMAGE_FOREIGN_MAP is not read: "it belongs to ...". Of others NULL. */
const char *image_refusal(const struct image *im);

/* Where names come from. */
enum image_origin {
	ORIGIN_NOTHING,
	ORIGIN_FILE,            /* the image's own */
	ORIGIN_CACHE,           /* the copy of it in the build-id cache, or from a server */
	ORIGIN_CACHE_DEBUG,     /* the debug file in there */
	ORIGIN_DEBUG_LINK,      /* that which its .gnu_debuglink names */
	ORIGIN_DEBUG_TREE,      /* /usr/lib/debug/PATH.debug */
	ORIGIN_DEBUG_TREE_BARE, /* /usr/lib/debug/PATH */
	ORIGIN_DEBUG_BESIDE,    /* .debug/NAME beside it */
	ORIGIN_BUILD_ID,        /* /usr/lib/debug/.build-id */
	ORIGIN_KERNEL_LIST,     /* a list of the kernel's symbols */
	ORIGIN_VMLINUX,
	ORIGIN_JIT, /* what the compiler wrote */
};

/* Of an image that was loaded. What has no names may have a file all the same. */
enum image_origin image_origin(const struct image *im);

/* What is to be said about the names it has, in one sentence; or NULL, as nearly always. */
const char *image_remark(const struct image *im);

/* The file that was wanted (perf map, ELF file), for messages about it; long name if none. */
const char *image_wanted_path(const struct image *im);

/* What symbolizer_forget() keeps. The images of code that is kept have to be, too. */
struct symbolizer_keeps {
	bool (*image)(void *arg, const struct image *im);
	bool (*code)(void *arg, const struct jit_code *c); /* of a JIT compiler's dump */
	void *arg;
};

/*
 * Releases all other images and code. Nobody else may use the symbolizer meanwhile, nor what was
 * released afterwards.
 */
void symbolizer_forget(struct symbolizer *s, const struct symbolizer_keeps *k);

/* Calls @fn for every image asked for so far, in that order; also for those asked for meanwhile. */
void symbolizer_for_each(struct symbolizer *s, void (*fn)(struct image *im, void *arg), void *arg);
