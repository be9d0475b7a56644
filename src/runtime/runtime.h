/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The runtimes of interpreted languages whose frames can be found from outside: in which images
 * they are, how a process's memory is laid out, and what a code object is called.
 *
 * Everything about a process is looked up in its memory, and checked, because layouts change from
 * version to version and memory is hostile. Whatever is wrong leaves the native frames as they are.
 */
#include <stdint.h>

#include "runtime/code.h"
#include "runtime/runtime-types.h"

struct cfi_rules;
struct elf_file;
struct runtime_image;
struct runtime_libc;

/*
 * Returns what is known about @file, whose rules are @rules, as the image of a runtime, or NULL: it
 * is none. Both are used only now.
 */
struct runtime_image *runtime_image_new(struct elf_file *file, struct cfi_rules *rules);
void runtime_image_free(struct runtime_image *im);
enum runtime_kind runtime_image_kind(const struct runtime_image *im);

/*
 * Looks up how process @pid, which has mapped @im @bias bytes above its link addresses, keeps its
 * frames. @libc is the C library that it uses, or NULL. 0: it has interpreted frames. -EAGAIN: the
 * runtime has not started yet; -ENOTSUP: a version that is not known; -EPROTO: its memory is not as
 * expected; or an error of runtime/memory.h.
 */
int runtime_process_find(const struct runtime_image *im, int pid, uint64_t bias,
			 const struct runtime_libc *libc, struct runtime_process *ret);

/* A part of a runtime's image that is mapped again, so much further up: V8 does so with its code.
 */
struct runtime_copy {
	uint64_t start, end, distance;
};

#define RUNTIME_COPIES_MAX 8

/* Adds the generated code of the image that is in copies of it. */
void runtime_process_add_copies(struct runtime_process *p, const struct runtime_copy *copies,
				size_t n);

/* Returns what the runtimes of @kind are called: "python"; and the language: "Python". */
const char *runtime_kind_name(enum runtime_kind kind);
const char *runtime_kind_language(enum runtime_kind kind);

/* Returns the language of this name, the @n characters at @name; RUNTIME_KIND_NONE: there is none.
 */
enum runtime_kind runtime_kind_of_name(const char *name, size_t n);

/* The image of a language's functions has the path RUNTIME_PATH and its name. */
#define RUNTIME_PATH "/interpreted/"

/* Returns the language whose functions are in the image @path; RUNTIME_KIND_NONE: it is another
 * one. */
enum runtime_kind runtime_kind_of_path(const char *path);

/*
 * Reads the code object of @frame, RUNTIME_FRAME() and the word after it, in process @pid. -ESTALE:
 * the memory has another code object now.
 */
int runtime_code_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		      struct runtime_code *ret);
