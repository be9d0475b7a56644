/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of a target, for the files that open each kind of them.
 */
#include "elf/build-id.h"
#include "probe/kernel-forbidden.h"
#include "probe/probe-target.h"
#include "probe/target-symbols.h"

/* State of a lookup: not done yet. */
#define NOT_TRIED 1

struct image;
struct source_parts;
struct symbolizer;

struct probe_target {
	enum probe_target_kind kind;
	struct probe_target_options options;
	char *name;           /* in definitions, or NULL */
	char *file;           /* the program or the module's file; NULL: none, or not known */
	struct build_id id;   /* of what runs, or of the file; size 0: unknown */
	struct elf_file *elf; /* of a program or a module that has a file; or NULL */
	struct symbolizer *symbolizer;
	struct image *image; /* of a program or a module, for its debug file */
	bool is_loaded;      /* a module of the running kernel */
	const struct arch *arch;

	/* The running kernel's first symbol, by which its places are given. */
	struct {
		int state;
		const char *reference; /* "_text", "_stext" */
		uint64_t start;        /* where it is */
		uint64_t link;         /* the same in the file with debug information; 0: unknown */
	} text;
	struct kernel_forbidden forbidden;

	/* Lookups that were done, and their result: 0, 1 for not yet, or an error. */
	int debug_state, functions_state, places_state;
	struct debug_info *debug;
	char *debug_path;
	struct target_symbols functions; /* as users name them */
	struct target_symbols places;    /* at the addresses of the debug information */
};

/* Each fills in what it knows at the start. */
int target_open_kernel(struct probe_target *t, struct diag *diag);
int target_open_module(struct probe_target *t, struct diag *diag);
int target_open_program(struct probe_target *t, struct diag *diag);

/* Finds the files with the debug information. -ENODATA: there are none. */
int target_find_debug(struct probe_target *t, struct source_parts *ret);

/* Says that there is no debug information, and how to get it. Returns -ENODATA. */
int target_explain_no_debug(struct probe_target *t, struct diag *diag);

/* Says how to get the symbols and the debug information of the program @path. */
void target_hint_package(const char *path, struct diag *diag);

/* Reads the symbols by which functions are named. */
int target_read_functions(struct probe_target *t, struct diag *diag);

/*
 * The symbols at the addresses of the debug information. For programs, and where there is no debug
 * information, they are those by which functions are named. NULL: there are none.
 */
const struct target_symbols *target_places(struct probe_target *t);
