/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the jobs of `perf probe` are about: the kernel, a module or a program, where its symbols and
 * sources are, and how far a job goes. All zero is this machine's kernel. Texts are borrowed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe_target_options;
struct progress;

/* A definition or a pattern, with what it is about: programs and modules of one request differ. */
struct probe_asked {
	const char *text;
	const char *program, *module;
};

struct probe_texts {
	struct probe_asked *items;
	size_t n, room;
};

struct probe_request {
	const char *program, *module; /* of jobs with a single target; both NULL: the kernel */
	const char *vmlinux;          /* the kernel's image with debug information; or NULL */
	const char *symfs;            /* stands before files with symbols; or NULL */
	const char *source;           /* where sources are; NULL: where they were compiled */
	const char *filter;           /* of variables or functions (probe/name-filter.h); or NULL */
	uint64_t target_ns;           /* a process that sees the program's path; 0: this one */
	uint64_t max_probes;          /* the most places of one definition */
	bool offline;                 /* definitions are only made, so the kernel need not run */
	bool no_inlines, externs, range, no_demangle, demangle_kernel;
	bool force;   /* a name that exists gets a number */
	bool dry_run; /* change nothing */
	bool cache;   /* the probes of the build-id cache */
	const char *buildid_dir;
	const char *tracing_dir; /* NULL: where tracefs is mounted */
	struct progress *progress;
	bool verbose; /* notes have details */
};

/* What the target of @program and @module (both may be NULL: the kernel) is opened with. */
struct probe_target_options probe_request_target(const struct probe_request *rq,
						 const char *program, const char *module);
