/* SPDX-License-Identifier: MIT */
#pragma once
/* The internals of a target, for the files that open each kind of target. */
#include "elf/build-id.h"
#include "probe/kernel-forbidden.h"
#include "probe/probe-target.h"
#include "probe/target-symbols.h"

/* The state of a lookup that has not been done yet. */
#define NOT_TRIED 1

struct image;
struct source_parts;
struct symbolizer;

struct probe_target {
	enum probe_target_kind kind;
	struct probe_target_options options;
	char *name; /* the name in definitions, or NULL */
	char *file; /* the program or the module's file; NULL: none, or not known */
	/* the running kernel's, the module's or the file's; size 0: unknown */
	struct build_id id;
	struct elf_file *elf; /* for a program or a module that has a file; or NULL */
	struct symbolizer *symbolizer;
	struct image *image; /* for a program or a module: finds its debug file */
	bool is_loaded;      /* a module of the running kernel */
	const struct arch *arch;

	/* The first symbol of the running kernel, relative to which its places are given. */
	struct {
		int state;
		const char *reference; /* "_text" or "_stext" */
		uint64_t start;        /* its address */
		uint64_t link;         /* the same in the file with debug information; 0: unknown */
	} text;
	struct kernel_forbidden forbidden;

	/* The results of lookups: 0, 1 for not done yet, or an error. */
	int debug_state, functions_state, places_state;
	struct debug_info *debug;
	char *debug_path;
	struct target_symbols functions; /* as users name them */
	struct target_symbols places;    /* at the addresses of the debug information */
};

/* Each of these fills in what is known at the start. */
int target_open_kernel(struct probe_target *t, struct diag *diag);
int target_open_module(struct probe_target *t, struct diag *diag);
int target_open_program(struct probe_target *t, struct diag *diag);

/* Finds the files with the debug information. -ENODATA: there are none. */
int target_find_debug(struct probe_target *t, struct source_parts *ret);

/* Reports that there is no debug information, and how to get it. Returns -ENODATA. */
int target_explain_no_debug(struct probe_target *t, struct diag *diag);

/* Hints how to get the symbols and the debug information of the program @path. */
void target_hint_package(const char *path, struct diag *diag);

/* Reads the symbols by which functions are named. */
int target_read_functions(struct probe_target *t, struct diag *diag);

/*
 * Returns the symbols at the addresses of the debug information. For programs, and if there is no
 * debug information, these are the symbols by which functions are named. NULL: there are none.
 */
const struct target_symbols *target_places(struct probe_target *t);
