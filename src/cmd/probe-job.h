/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of `perf probe`, and its jobs: one file each, which print their result and return an
 * exit status.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/opt/verbosity.h"

struct invocation;
struct probe_target_options;

/* A definition or a pattern, with what it is about: -x and -m may stand before each. */
struct probe_asked {
	const char *text; /* NULL: the bare arguments are it */
	const char *program, *module;
};

struct probe_texts {
	struct probe_asked *items;
	size_t n, room;
};

struct probe_opts {
	struct probe_texts add, definition, del; /* -a and bare arguments, -D, -d */
	const char *list;   /* -l[GROUP:EVENT]; "" for all; NULL: not asked for */
	const char *line;   /* -L */
	const char *vars;   /* -V */
	const char *funcs;  /* -F[FILTER]; "" for the default filter */
	const char *filter; /* --filter */
	const char *vmlinux, *module, *program, *source, *symfs;
	uint64_t max_probes, target_ns;
	bool externs, range, no_inlines, force, dry_run, cache;
	bool no_demangle, demangle_kernel, bootconfig;
	struct verbosity_opts verbosity;
	char *buildid_dir;         /* root of the build-id cache, or NULL */
	struct progress *progress; /* command_progress() */
	char *joined;              /* bare arguments that make one definition */
};

/* What the target of @program and @module (both may be NULL: the kernel) is opened with. */
struct probe_target_options probe_target_options_of(const struct probe_opts *o, const char *program,
						    const char *module);

int probe_add(struct invocation *inv, const struct probe_opts *o); /* also -D */
int probe_del(struct invocation *inv, const struct probe_opts *o);
int probe_list(struct invocation *inv, const struct probe_opts *o);
int probe_show_lines(struct invocation *inv, const struct probe_opts *o);
int probe_show_vars(struct invocation *inv, const struct probe_opts *o);
int probe_show_funcs(struct invocation *inv, const struct probe_opts *o);
