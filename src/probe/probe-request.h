/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request of a job of `perf probe`: the kernel, a module or a program, where its symbols and
 * sources are, and how far the job goes. All zero means this machine's kernel. Texts are borrowed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe_target_options;
struct progress;

/* A definition or a pattern, with its target: programs and modules of one request differ. */
struct probe_asked {
	const char *text;
	const char *program, *module;
};

struct probe_texts {
	struct probe_asked *items;
	size_t n, room;
};

struct probe_request {
	const char *program, *module; /* for jobs with a single target; both NULL: the kernel */
	const char *vmlinux;          /* the kernel's image with debug information; or NULL */
	const char *symfs;            /* prepended to the paths of files with symbols; or NULL */
	const char *source;           /* the sources' folder; NULL: where they were when compiled */
	/* a filter on variables or functions (probe/name-filter.h); or NULL */
	const char *filter;
	uint64_t target_ns;  /* a process that sees the program's path; 0: this one */
	uint64_t max_probes; /* the maximum number of places of one definition */
	bool offline;        /* definitions are only made, so the kernel need not run */
	bool no_inlines, externs, range, no_demangle, demangle_kernel;
	bool force;   /* an existing name gets a number */
	bool dry_run; /* change nothing */
	bool cache;   /* use the probes of the build-id cache */
	const char *buildid_dir;
	const char *tracing_dir; /* NULL: where tracefs is mounted */
	struct progress *progress;
	bool verbose; /* notes have details */
};

/*
 * Returns the options for opening the target of @program and @module (both may be NULL: the
 * kernel).
 */
struct probe_target_options probe_request_target(const struct probe_request *rq,
						 const char *program, const char *module);
