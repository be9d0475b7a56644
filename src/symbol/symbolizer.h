/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names for addresses: the images of a profile (programs, libraries, the kernel and its modules,
 * JIT code) and their functions.
 *
 * A symbolizer owns its images. An image that is requested twice is the same pointer, valid until
 * symbolizer_free() or symbolizer_forget(). No file is opened before the first image_symbol_find()
 * of an image, which loads it under its lock; later calls take no lock and cost O(log n). All
 * functions may be called from any thread. Nothing is printed here: image_missing_reason() returns
 * why an image has no names. Several sessions of the same recording may share one symbolizer.
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

/* The options. Everything is borrowed until symbolizer_free(). NULL and false are the defaults. */
struct symbolizer_options {
	const char *symfs;       /* the directory with all files, if they are not this machine's */
	const char *buildid_dir; /* the result of buildid_cache_dir(); NULL: no cache */
	/*
	 * files of builds are in the cache below @symfs, which is not written to; data for the next
	 * run is kept in @buildid_dir
	 */
	bool symfs_cache;
	const char *vmlinux;  /* the kernel's ELF file; NULL: look in the usual places */
	const char *kallsyms; /* a copy of /proc/kallsyms */
	/* from the recording: kcore, kallsyms and modules of its kernel */
	const char *kcore_dir;
	const char *guest_vmlinux; /* the same two for guests */
	const char *guest_kallsyms;
	const char *guest_mount; /* DIR/PID is the root directory of each guest */
	bool ignore_vmlinux;
	bool raw_names;       /* do not demangle */
	bool with_parameters; /* show C++ functions with their parameters */
	bool demangle_kernel;
	bool short_kernel;         /* the kernel's short name is [kernel], as in live profiles */
	bool kernel_paths;         /* name the kernel by its vmlinux, a module by its file */
	bool any_owner;            /* read perf-PID.map and jit-PID.dump files of other users too */
	struct progress *progress; /* the progress of downloads; borrowed, or NULL */
};

enum image_kind {
	IMAGE_UNKNOWN, /* memory without a file: [heap], [stack] */
	IMAGE_USER,
	IMAGE_VDSO,
	IMAGE_JIT,     /* anonymous executable memory: names come from /tmp/perf-PID.map */
	IMAGE_JITDUMP, /* code in a jit-PID.dump; made by symbol/jit-code.h */
	IMAGE_KERNEL,
	IMAGE_MODULE,
	IMAGE_BPF, /* one function, with the image's name */
	IMAGE_GUEST_KERNEL,
	IMAGE_GUEST_MODULE,
};

struct image_key {
	enum image_kind kind;
	const char *name;  /* as in the MMAP record; copied */
	int32_t pid;       /* IMAGE_JIT: the process; otherwise one that has it mapped */
	uint64_t mount_ns; /* mount namespace of @name (inode of /proc/PID/ns/mnt), if it is known
			      and not ours; or 0 */
	const uint8_t *build_id; /* or NULL */
	size_t build_id_size;
	uint64_t start, end;         /* IMAGE_MODULE, IMAGE_BPF: its range at run time */
	struct file_id file;         /* the file among those with that name, if known */
	uint64_t map_start, map_end; /* the range where @pid has it mapped */
	bool by_path;                /* IMAGE_MODULE: its name is that of its file */
};

struct symbolizer *symbolizer_new(const struct symbolizer_options *o);
void symbolizer_free(struct symbolizer *s);
DEFINE_FREEP(symbolizer)

/*
 * Sets the recorded address of the kernel's symbol @name (_text, _stext), from the name and pgoff
 * of the kernel's MMAP record. It shows how far the kernel was moved (KASLR). Call before the
 * kernel's first lookup.
 */
void symbolizer_kernel_reference(struct symbolizer *s, const char *name, uint64_t addr);

/*
 * Sets the kernel release (uname -r) of the recorded machine, which is part of paths. Call before
 * the kernel's first lookup.
 */
void symbolizer_kernel_release(struct symbolizer *s, const char *release);

/*
 * Sets the directory @dir, which is copied, in which the recording has copies of the kernel's code,
 * symbols and list of modules. Call before the kernel's first lookup.
 */
void symbolizer_take_kcore(struct symbolizer *s, const char *dir);

/*
 * Notes that the recording is of this machine: a file with another device or inode than the
 * recorded one is another file, and gives no names unless it has the recorded build-id. @kept,
 * borrowed, has the files that the recorder keeps open; NULL outside of it. Call before the first
 * lookup.
 */
void symbolizer_recorded_here(struct symbolizer *s, struct kept_files *kept);

/*
 * Notes that the recording began at @since_ns, in nanoseconds of the wall clock: a file that was
 * written to later is not the one that ran, unless its build-id shows that it is.
 */
void symbolizer_recorded_since(struct symbolizer *s, uint64_t since_ns);

/*
 * Returns the image that @key describes: the same one for equal kind, name, build-id and start; for
 * IMAGE_JIT also pid; without a build-id also namespace and file.
 */
struct image *symbolizer_image(struct symbolizer *s, const struct image_key *key);

/* Returns the kind of image for the name in a user-space MMAP record. */
enum image_kind image_kind_of_user(const char *name);

enum image_kind image_kind(const struct image *im);

/* Returns the pid in its key. */
int32_t image_pid(const struct image *im);

/* True if the image is, or was, a file, so that users know its addresses as offsets. */
bool image_is_file(const struct image *im);

/* Returns the name in its key. */
const char *image_name(const struct image *im);

/*
 * Returns the name that `script` prints in parentheses: the path of a program, "[kernel.kallsyms]",
 * "[nf_tables]" for a module unless image_key.by_path, "/tmp/perf-9.map".
 */
const char *image_long_name(const struct image *im);

/*
 * Returns the last part of the long name, as `report` shows it; "[x]" for a module, whatever its
 * path; "[JIT] tid 9" for memory without a file.
 */
const char *image_short_name(const struct image *im);

/* Returns the build-id in its key, or, once loaded, that of its file; size 0 if unknown. */
const struct build_id *image_build_id(const struct image *im);

/*
 * Returns the path at which results of lookups in the code of @file, the file that ran, are kept
 * for the next run. NULL: there is no cache, or the file has no build-id. The caller frees it.
 */
char *image_code_answers_path(const struct image *im, struct elf_file *file);

/* Returns the same for the types that its instructions access. */
char *image_type_answers_path(const struct image *im);

/* Returns the file in its key. */
const struct file_id *image_file_id(const struct image *im);

/*
 * Returns the function at @addr, or NULL. Loads the image at the first call. The result lives as
 * long as the symbolizer.
 */
const struct symbol *image_symbol_find(struct image *im, uint64_t addr);

/*
 * Does the same for the target of a call: if functions overlap, it returns the one that begins
 * there.
 */
const struct symbol *image_symbol_called(struct image *im, uint64_t addr);

/* Finds the run-time address of the symbol @name of an IMAGE_KERNEL; false: there is none. */
bool image_kernel_address(struct image *im, const char *name, uint64_t *ret);

/*
 * Opens the file that ran, of an IMAGE_USER or IMAGE_VDSO. The caller owns the result, which must
 * not outlive the symbolizer. -ESTALE: there is only another build; -ENOTSUP: another kind of
 * image; otherwise the errors of elf_file_open().
 */
int image_open(struct image *im, struct elf_file **ret);

/* Opens the separate debug file of an IMAGE_USER, like image_open(); -ENODATA: there is none. */
int image_open_debug(struct image *im, struct elf_file **ret);

/*
 * Finds the path at which the file of an IMAGE_USER can be read now: its own, or one through a
 * process or the recorder. The caller frees it. -ESTALE: its own path leads to another file;
 * -ENOENT: to none; or another error of opening it. If the recording is of another machine, it is
 * the recorded path, unchecked.
 */
int image_file_path(const struct image *im, char **ret);

enum image_missing {
	IMAGE_LOADED,      /* it has symbols */
	IMAGE_NOT_TRIED,   /* no lookup has been done yet */
	IMAGE_NO_FILE,     /* the file does not exist (any more) */
	IMAGE_DELETED,     /* it was deleted, or replaced, before or while it ran */
	IMAGE_ELSEWHERE,   /* it is in a container (another mount namespace) that is gone */
	IMAGE_REPLACED,    /* the file there is not the one that was mapped */
	IMAGE_OTHER_BUILD, /* the file there is another build: its build-id differs */
	IMAGE_STRIPPED,    /* the file has no symbols */
	IMAGE_ONLY_PUBLIC, /* it has only dynamic symbols */
	IMAGE_NOT_ELF,
	IMAGE_UNREADABLE,   /* no permission */
	IMAGE_HIDDEN,       /* kptr_restrict: /proc/kallsyms shows only zeros */
	IMAGE_NO_MAP,       /* there is no /tmp/perf-PID.map */
	IMAGE_BAD_MAP,      /* its perf map or jitdump is malformed */
	IMAGE_FOREIGN_MAP,  /* there is a map, but its owner is not trusted: see image_refusal() */
	IMAGE_NOT_BUILT_IN, /* it is compressed, and this perf lacks the library for it */
	IMAGE_ANONYMOUS,    /* memory that has no file */
};

/* Returns why there are no names. IMAGE_LOADED if there are some. */
enum image_missing image_missing_reason(const struct image *im);

/*
 * Returns why some addresses have no name: as above, but IMAGE_ONLY_PUBLIC instead of IMAGE_LOADED.
 */
enum image_missing image_unnamed_reason(const struct image *im);

/*
 * Returns why the map or dump is not read, if the reason is IMAGE_FOREIGN_MAP: "it belongs to ...";
 * otherwise NULL.
 */
const char *image_refusal(const struct image *im);

/* The source of names. */
enum image_origin {
	ORIGIN_NOTHING,
	ORIGIN_FILE,            /* the image's own file */
	ORIGIN_CACHE,           /* its copy in the build-id cache, or from a server */
	ORIGIN_CACHE_DEBUG,     /* its debug file in the cache */
	ORIGIN_DEBUG_LINK,      /* the file that its .gnu_debuglink names */
	ORIGIN_DEBUG_TREE,      /* /usr/lib/debug/PATH.debug */
	ORIGIN_DEBUG_TREE_BARE, /* /usr/lib/debug/PATH */
	ORIGIN_DEBUG_BESIDE,    /* .debug/NAME beside it */
	ORIGIN_BUILD_ID,        /* /usr/lib/debug/.build-id */
	ORIGIN_KERNEL_LIST,     /* a list of the kernel's symbols */
	ORIGIN_VMLINUX,
	ORIGIN_JIT, /* a perf map or jitdump */
};

/*
 * Returns where the names of a loaded image come from. An image without names may still have a
 * file.
 */
enum image_origin image_origin(const struct image *im);

/* Returns a remark about its names, in one sentence; or NULL, as in nearly all cases. */
const char *image_remark(const struct image *im);

/*
 * Returns the path of the file that was searched (perf map, ELF file), for messages; otherwise the
 * long name.
 */
const char *image_wanted_path(const struct image *im);

/*
 * The callbacks that choose what symbolizer_forget() keeps. Images of JIT code that is kept must be
 * kept too.
 */
struct symbolizer_keeps {
	bool (*image)(void *arg, const struct image *im);
	bool (*code)(void *arg, const struct jit_code *c); /* chooses code of a jitdump */
	void *arg;
};

/*
 * Releases all other images and JIT code. No other thread may use the symbolizer in the meantime.
 */
void symbolizer_forget(struct symbolizer *s, const struct symbolizer_keeps *k);

/* Calls @fn for every image in the order in which they were first requested, including new ones. */
void symbolizer_for_each(struct symbolizer *s, void (*fn)(struct image *im, void *arg), void *arg);
