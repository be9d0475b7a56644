/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording written anew, with more in it, or the same in another form.
 */
#include <stdbool.h>

#include "hwtrace/itrace.h"
#include "symbol/symbol-request.h"

struct diag;
struct notes;
struct progress;

/* What becomes of which recording. Texts are borrowed. */
struct inject_request {
	const char *input, *output;   /* NULL or "-": standard input, standard output */
	bool force;                   /* files of other owners too */
	bool build_ids;               /* those of images with samples are added, */
	bool buildid_all;             /* of all images */
	bool map_build_ids;           /* maps that samples lie in have them, others are gone; */
	bool map_build_ids_all;       /* all maps have them */
	bool new_addresses;           /* in place of those that were recorded */
	const char *known_build_ids;  /* as known_build_ids_parse() takes them; or NULL */
	bool sched_stat;              /* where tasks slept, and how long */
	bool jit;                     /* a file for each JIT-compiled function */
	bool unwind;                  /* stacks that were copied become call chains */
	struct itrace_request itrace; /* asked for: hardware traces become samples, */
	bool strip;                   /* and nothing else of the samples stays */
	struct symbol_request symbols;
	bool ignore_vmlinux;
	const char *buildid_dir;   /* of the cache; NULL: there is none */
	struct progress *progress; /* or NULL */
	bool verbose;              /* notes say what was added */
};

/*
 * Rewrites the recording. Warnings on what is lost, and details on what was added, go to @notes. A
 * negative errno with @diag.
 */
int inject_run(const struct inject_request *rq, struct notes *notes, struct diag *diag);
