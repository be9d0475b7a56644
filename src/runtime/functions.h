/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of interpreted languages that a recording has met, as if they were compiled: each
 * has an address, and those of a language together are an image with symbols and lines.
 *
 * The image is mapped at the same address in every process of the recording that runs the language.
 * A function is the same one, whichever process has it, if its name, its file and its lines are the
 * same. Names are read when a frame is first seen, while the process lives: by the thread that gets
 * the news from the kernel, or by the one that takes the stack, whichever is earlier. All functions
 * may be called from both.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build-id.h"
#include "runtime/runtime-types.h"

struct bytes;
struct runtime_functions;

/* The reasons for which a runtime in a process cannot be used. */
enum runtime_refusal {
	RUNTIME_REFUSED_VERSION, /* it is not known */
	RUNTIME_REFUSED_MEMORY,  /* memory is not as expected, or cannot be read */
	RUNTIME_REFUSED_RIGHTS,  /* the process belongs to somebody else */
	RUNTIME_REFUSALS,
};

/* @left_out: 1 << enum runtime_kind of languages that are not looked for. */
struct runtime_functions *runtime_functions_new(unsigned left_out);
void runtime_functions_free(struct runtime_functions *f);

/* The stacks and frames of a language, by what became of them. */
struct runtime_functions_counts {
	uint64_t stacks, interpreted; /* stacks of its processes; those with interpreted frames */
	uint64_t named;               /* frames of functions whose names are known */
	uint64_t ended;               /* their process ended before the name was read */
	uint64_t stale;               /* their code object did before, or it was never one */
	uint64_t slow;                /* names of their process take too long to read */
	/* Processes that have the runtime, but in a form that is not known. */
	uint64_t refused[RUNTIME_REFUSALS];
};

/* Stacks come from there, each in the order of time. */
enum runtime_stacks {
	RUNTIME_STACKS_SAMPLES,
	RUNTIME_STACKS_OFF_CPU,
	RUNTIME_STACKS_CALLS, /* of system calls */
};

/* Addresses in the images. */
struct runtime_addresses {
	uint64_t *items;
	size_t n, room;
};

/* Says that process @pid has the runtime @p from now on; NULL: none that is known. */
void runtime_functions_set_process(struct runtime_functions *f, uint32_t pid,
				   const struct runtime_process *p);

/* True if functions of @kind are wanted. */
bool runtime_functions_wants(const struct runtime_functions *f, enum runtime_kind kind);

/* Counts process @pid, once, whose runtime @kind could not be used because of @error. */
void runtime_functions_refuse(struct runtime_functions *f, uint32_t pid, enum runtime_kind kind,
			      int error);

/* Reads the name of @frame of process @pid, as runtime_functions_translate() does, for later. */
void runtime_functions_read(struct runtime_functions *f, uint32_t pid, const uint64_t frame[2]);

/*
 * Appends the @n words of a user stack of process @pid, with addresses in place of interpreted
 * frames. One of these may be several: a compiled function may have others inlined. A frame without
 * a known name has the address of the function "[unread]". What is read is remembered.
 *
 * Returns the runtime if the process has such frames for the first time in stacks of @from, and its
 * mapping is to be recorded; else RUNTIME_KIND_NONE.
 */
enum runtime_kind runtime_functions_translate(struct runtime_functions *f, enum runtime_stacks from,
					      uint32_t pid, const uint64_t *words, size_t n,
					      struct runtime_addresses *to);

/* Begins another file, in which no mapping is recorded yet. */
void runtime_functions_begin_file(struct runtime_functions *f);

struct runtime_functions_counts runtime_functions_counts(const struct runtime_functions *f,
							 enum runtime_kind kind);

/* The image of a language: its mapping in every process. */
struct runtime_mapping {
	const char *path;
	uint64_t start, size;
	struct build_id build_id; /* chosen when the recording begins */
};

struct runtime_mapping runtime_functions_mapping(const struct runtime_functions *f,
						 enum runtime_kind kind);

/* Appends the image of @kind as it is now. False: no function of it was met. */
bool runtime_functions_put(struct runtime_functions *f, enum runtime_kind kind, struct bytes *out);

/* A function of an image. Addresses are offsets in the image's file. Texts live as long as @f. */
struct runtime_found {
	uint64_t start, end;
	const char *name, *file; /* `file`: NULL if it is not known */
};

/* Finds the function at @addr, as the image would have it now. False: there is none. */
bool runtime_functions_find(struct runtime_functions *f, enum runtime_kind kind, uint64_t addr,
			    struct runtime_found *ret);

/*
 * Finds the function of any language at @addr, where the image is mapped; @ret has offsets, too.
 * Returns the language; RUNTIME_KIND_NONE: there is no function.
 */
enum runtime_kind runtime_functions_find_mapped(struct runtime_functions *f, uint64_t addr,
						struct runtime_found *ret);

/*
 * Finds the line of @addr, which holds for addresses below *@ret_end. 0: it is not known, or @addr
 * is in no function.
 */
uint32_t runtime_functions_line(struct runtime_functions *f, enum runtime_kind kind, uint64_t addr,
				uint64_t *ret_end);
