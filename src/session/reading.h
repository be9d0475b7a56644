/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What all that reads a profile and names its functions has in common.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/choice.h"
#include "session/call-sites.h"

struct diag;
struct notes;
struct progress;
struct session;
struct symbol_request;
struct symbolizer;
struct time_span;
struct time_window;

struct reading_symbols {
	const struct symbol_request *request;
	const char *buildid_dir;   /* of the user's cache; NULL: there is none */
	bool kernel_paths;         /* --show-kernel-path */
	bool short_kernel;         /* the kernel is called [kernel] */
	bool ignore_vmlinux;       /* --ignore-vmlinux */
	bool any_owner;            /* -f */
	bool with_parameters;      /* -v: C++ functions with them */
	struct progress *progress; /* of downloads; or NULL */
};

/* Where names come from, by @how, whose texts are borrowed. */
struct symbolizer *reading_symbolizer(const struct reading_symbols *how);

/*
 * Whether the files of --vmlinux and --kallsyms, and those for guests, can be read and are such
 * files: names from elsewhere are not what was asked for. A negative errno with @diag set if one
 * cannot.
 */
int reading_check_files(const struct reading_symbols *how, struct diag *diag);

/* Which stacks show functions that were inlined. */
enum inlines reading_inlines(const struct symbol_request *rq);

/* The --symfs that is another machine's root; NULL: the files are this machine's. */
const char *reading_other_root(const struct symbol_request *rq);

/*
 * Times in nanoseconds for the window of --time, which may be in parts of the profile; the caller
 * frees them. -ESPIPE: parts of a stream are not known beforehand; other errors are those of
 * reading the profile; with @diag.
 */
int reading_spans(const struct time_window *w, struct session *s, struct time_span **ret,
		  struct diag *diag);

/*
 * Reads a stream until its events and its features are known, which is before the first sample; of
 * a file they are known from the start. Errors: those of session_feed().
 */
int reading_stream_header(struct session *s, struct diag *diag);

/* Passes over the rest of a stream, so that who writes it comes to its end and not to a broken
 * pipe. */
int reading_stream_rest(struct session *s, struct diag *diag);

/* After reading: warnings on what was lost while recording, and what of the file could not be read.
 */
void reading_note_losses(const struct session *s, struct notes *notes);
void reading_note_damage(struct session *s, struct notes *notes);

/* The part of reading_note_losses() that is about hardware traces. */
void reading_note_traces(const struct session *s, struct notes *notes);

/*
 * Warnings on stacks that were to be unwound and did not come to their end, and on those that the
 * kernel may have cut.
 */
void reading_note_stacks(const struct session *s, struct notes *notes);

/* -ENODATA, with @diag: the file was cut, and none of its samples is left. After reading. */
int reading_check_samples(const struct session *s, struct diag *diag);

/*
 * How many events, from @first on, are shown side by side: those of a group, unless @group says no;
 * all, if it says yes and there are no groups.
 */
size_t reading_group_size(const struct session *s, enum choice group, size_t first);
