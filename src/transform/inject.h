/* SPDX-License-Identifier: MIT */
#pragma once
/* Writes a recording anew, with additional data, or in another form. */
#include <stdbool.h>

#include "hwtrace/itrace.h"
#include "symbol/symbol-request.h"

struct diag;
struct notes;
struct progress;

/* The requested changes, and the recording. Texts are borrowed. */
struct inject_request {
	const char *input, *output;   /* NULL or "-": standard input, standard output */
	bool force;                   /* also read files of other owners */
	bool build_ids;               /* add those of images with samples */
	bool buildid_all;             /* add those of all images */
	bool map_build_ids;           /* add them to maps with samples, and remove other maps */
	bool map_build_ids_all;       /* add them to all maps */
	bool new_addresses;           /* replace the recorded addresses */
	const char *known_build_ids;  /* in the syntax of known_build_ids_parse(); or NULL */
	bool sched_stat;              /* merge places and durations of sleeps */
	bool jit;                     /* write a file for each JIT-compiled function */
	bool unwind;                  /* convert copied stacks to call chains */
	struct itrace_request itrace; /* if given: convert hardware traces to samples, */
	bool strip;                   /* and remove all other samples */
	struct symbol_request symbols;
	bool ignore_vmlinux;
	const char *buildid_dir;   /* the folder of the build-id cache; NULL: none */
	struct progress *progress; /* or NULL */
	bool verbose;              /* add notes about what was added */
};

/*
 * Rewrites the recording. Warnings about losses, and details about additions, are added to @notes.
 * Returns a negative errno with @diag.
 */
int inject_run(const struct inject_request *rq, struct notes *notes, struct diag *diag);
