/* SPDX-License-Identifier: MIT */
#include "tools/script/skeleton.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "cli/command.h"
#include "foreign/any-session.h"
#include "session/reading.h"
#include "session/session.h"
#include "tools/script/opts.h"
#include "tools/script/python/skeleton.h"
#include "tracepoint/format.h"

#define USUAL_PATH "perf-script.py"

/*
 * The maximum size of a previous file that is kept. A larger file was written neither by perf nor
 * by hand.
 */
#define KEPT_BYTES_MAX (16 << 20)

struct event_list {
	struct skeleton_event *items;
	size_t n, room;
};

static int by_id(const void *a, const void *b)
{
	const struct skeleton_event *x = a, *y = b;

	return (x->format->id > y->format->id) - (x->format->id < y->format->id);
}

/*
 * Collects the tracepoints of the recording, by their numbers, in the order of the kernel's list.
 */
static struct skeleton script_skeleton_collect(const struct session *s, struct event_list *list)
{
	struct skeleton all = { 0 };

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		if (e->format)
			*ARRAY_ADD(list) = (struct skeleton_event){ e->system, e->tracepoint,
								    e->format, e->plan };
		else
			all.others = true;
	}
	if (list->n)
		qsort(list->items, list->n, sizeof(*list->items), by_id);
	all.events = list->items;
	all.n_events = list->n;
	return all;
}

static char *script_skeleton_text_of(const struct skeleton *s)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return NULL;
	python_skeleton_print(s, out);
	return fclose(out) == 0 ? text : (free(text), NULL);
}

/* Keeps a script that the user has edited as @kept. */
static int keep_former(const char *path, const char *kept, const char *text, bool *ret_kept,
		       struct diag *diag)
{
	_cleanup_(freep) char *former = NULL;
	size_t n;
	int r = file_read(AT_FDCWD, path, KEPT_BYTES_MAX, &former, &n);

	*ret_kept = false;
	if (r == -ENOENT || (r >= 0 && (!n || !strcmp(former, text))))
		return 0;
	r = output_file_rename(path, kept);
	if (r < 0)
		return diag_set(diag, r, "cannot keep '%s' as '%s': %s", path, kept, strerror(-r));
	*ret_kept = true;
	return 0;
}

static int script_skeleton_write_file(const char *path, const char *text, struct diag *diag)
{
	_cleanup_(output_file_done) struct output_file file = OUTPUT_FILE_NONE;
	int r = output_file_begin(&file, path, 0, 0666, diag);

	if (r < 0)
		return r;
	r = output_file_write(&file, text, strlen(text));
	if (r >= 0)
		r = output_file_commit(&file, false);
	return r < 0 ? diag_set(diag, r, "cannot write '%s': %s", path, strerror(-r)) : 0;
}

static bool script_skeleton_has_end(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

/*
 * Returns the file to write for -g @language, which is a language or a path. Returns an error with
 * @diag.
 */
static int script_skeleton_find_path(const char *language, const char **ret, struct diag *diag)
{
	if (script_skeleton_has_end(language, ".py")) {
		*ret = language;
		return 0;
	}
	if (!strcasecmp(language, "python") || !strcasecmp(language, "py")) {
		*ret = USUAL_PATH;
		return 0;
	}
	if (!strcasecmp(language, "perl") || !strcasecmp(language, "pl") ||
	    script_skeleton_has_end(language, ".pl"))
		diag_set(diag, -EOPNOTSUPP, "perf runs no Perl scripts, so it writes none");
	else
		diag_set(diag, -EINVAL, "'%s' is not a language that perf writes scripts in",
			 language);
	diag_hint(diag, "write one in Python: perf script -g python");
	return -EINVAL;
}

static int script_skeleton_generate(struct invocation *inv, struct session *session,
				    const char *path, struct diag *diag)
{
	struct event_list list = { 0 };
	struct skeleton skeleton = script_skeleton_collect(session, &list);
	_cleanup_(freep) char *text = script_skeleton_text_of(&skeleton),
			      *kept = xasprintf("%s.old", path);
	bool is_kept = false;
	int r = text ? keep_former(path, kept, text, &is_kept, diag)
		     : diag_set(diag, -ENOMEM, "out of memory");

	free(list.items);
	if (r >= 0)
		r = script_skeleton_write_file(path, text, diag);
	if (r < 0)
		return command_fail(inv, r, diag);
	fprintf(command_err(inv), "generated Python script: %s\n", path);
	if (is_kept)
		fprintf(command_err(inv), "the %s that was there is now %s\n", path, kept);
	return EXIT_OK;
}

int script_skeleton_run(struct invocation *inv)
{
	const struct script_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(session_freep) struct session *session = NULL;
	struct session_options how = { .path = input_path(o->input.path), .force = o->input.force };
	const char *path = NULL;
	int r = script_skeleton_find_path(o->gen_script, &path, &diag);

	if (r >= 0)
		r = any_session_open(&how, &session, &diag);
	if (r >= 0)
		r = reading_stream_header(session, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	r = script_skeleton_generate(inv, session, path, &diag);
	reading_stream_rest(session, &diag);
	return r;
}
