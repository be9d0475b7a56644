/* SPDX-License-Identifier: MIT */
#pragma once
/* The functions that all commands share that read a profile and name its functions. */
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
	const char *buildid_dir;   /* the user's cache; NULL: there is no cache */
	bool kernel_paths;         /* --show-kernel-path */
	bool short_kernel;         /* the kernel is shown as [kernel] */
	bool ignore_vmlinux;       /* --ignore-vmlinux */
	bool any_owner;            /* -f */
	bool with_parameters;      /* -v: show C++ functions with parameters */
	struct progress *progress; /* the progress of downloads; or NULL */
};

/* Makes the symbolizer that @how describes; its texts are borrowed. */
struct symbolizer *reading_symbolizer(const struct reading_symbols *how);

/*
 * Checks that the files of --vmlinux and --kallsyms, and those for guests, can be read and are of
 * these kinds, because names from elsewhere are not what the user requested. Returns a negative
 * errno with @diag set if a file fails.
 */
int reading_check_files(const struct reading_symbols *how, struct diag *diag);

/* Returns which stacks show inlined functions. */
enum inlines reading_inlines(const struct symbol_request *rq);

/* Returns the --symfs that is another machine's root; NULL: the files are this machine's. */
const char *reading_other_root(const struct symbol_request *rq);

/*
 * Computes times in nanoseconds for the window of --time, which may be given in parts of the
 * profile; the caller frees them. -ESPIPE: parts of a stream are not known in advance; other errors
 * are those of reading the profile; with @diag.
 */
int reading_spans(const struct time_window *w, struct session *s, struct time_span **ret,
		  struct diag *diag);

/* Does the same for a profile whose first and last sample have these times. */
struct time_span *reading_spans_between(const struct time_window *w, uint64_t first, uint64_t last);

/*
 * Reads a stream until its events and its features are known, which is before the first sample;
 * those of a file are known from the start. Errors: those of session_feed().
 */
int reading_stream_header(struct session *s, struct diag *diag);

/* Skips the rest of a stream, so that its writer can finish and does not get a broken pipe. */
int reading_stream_rest(struct session *s, struct diag *diag);

/*
 * Add warnings after reading: about records that were lost while recording, and about parts of the
 * file that could not be read.
 */
void reading_note_losses(const struct session *s, struct notes *notes);
void reading_note_damage(struct session *s, struct notes *notes);

/* Adds the part of reading_note_losses() that is about hardware traces. */
void reading_note_traces(const struct session *s, struct notes *notes);

/*
 * Adds warnings about stacks that could not be unwound to their end, and about those that the
 * kernel may have cut.
 */
void reading_note_stacks(const struct session *s, struct notes *notes);

/*
 * Checks after reading that there are samples. -ENODATA, with @diag: the file was cut, and none of
 * its samples is left.
 */
int reading_check_samples(const struct session *s, struct diag *diag);

/*
 * Returns how many events, from @first on, are shown side by side: those of a group, unless @group
 * is no; all, if it is yes and there are no groups.
 */
size_t reading_group_size(const struct session *s, enum choice group, size_t first);
