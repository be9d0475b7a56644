/* SPDX-License-Identifier: MIT */
#include "cmd/script-skeleton.h"

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
#include "cmd/script-opts.h"
#include "job/reading.h"
#include "script/python-skeleton.h"
#include "session/session.h"
#include "tracepoint/format.h"

#define SKELETON_PATH "perf-script.py"
#define KEPT_PATH     SKELETON_PATH ".old"

/* What a file that is kept may have: more was not written by perf, nor by people. */
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

/* The tracepoints of the recording, by their numbers, as the kernel lists them. */
static struct skeleton collect(const struct session *s, struct event_list *list)
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

static char *text_of(const struct skeleton *s)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return NULL;
	python_skeleton_print(s, out);
	return fclose(out) == 0 ? text : (free(text), NULL);
}

/* A script that people have worked on is kept under another name. */
static int keep_former(const char *text, bool *ret_kept, struct diag *diag)
{
	_cleanup_(freep) char *former = NULL;
	size_t n;
	int r = file_read(AT_FDCWD, SKELETON_PATH, KEPT_BYTES_MAX, &former, &n);

	*ret_kept = false;
	if (r == -ENOENT || (r >= 0 && !strcmp(former, text)))
		return 0;
	r = output_file_rename(SKELETON_PATH, KEPT_PATH);
	if (r < 0)
		return diag_set(diag, r, "cannot keep " SKELETON_PATH " as " KEPT_PATH ": %s",
				strerror(-r));
	*ret_kept = true;
	return 0;
}

static int write_file(const char *text, struct diag *diag)
{
	_cleanup_(output_file_done) struct output_file file = OUTPUT_FILE_NONE;
	int r = output_file_begin(&file, SKELETON_PATH, 0, 0666, diag);

	if (r < 0)
		return r;
	r = output_file_write(&file, text, strlen(text));
	if (r >= 0)
		r = output_file_commit(&file, false);
	return r < 0 ? diag_set(diag, r, "cannot write " SKELETON_PATH ": %s", strerror(-r)) : 0;
}

static int check_language(const char *language, struct diag *diag)
{
	if (!strcasecmp(language, "python") || !strcasecmp(language, "py"))
		return 0;
	if (!strcasecmp(language, "perl") || !strcasecmp(language, "pl"))
		diag_set(diag, -EOPNOTSUPP, "perf runs no Perl scripts, so it writes none");
	else
		diag_set(diag, -EINVAL, "'%s' is no language that perf writes scripts in",
			 language);
	diag_hint(diag, "write one in Python: perf script -g python");
	return -EINVAL;
}

static int generate(struct invocation *inv, struct session *session, struct diag *diag)
{
	struct event_list list = { 0 };
	struct skeleton skeleton = collect(session, &list);
	_cleanup_(freep) char *text = text_of(&skeleton);
	bool kept = false;
	int r = text ? keep_former(text, &kept, diag) : diag_set(diag, -ENOMEM, "out of memory");

	free(list.items);
	if (r >= 0)
		r = write_file(text, diag);
	if (r < 0)
		return command_fail(inv, r, diag);
	fprintf(inv->err, "generated Python script: " SKELETON_PATH "\n");
	if (kept)
		fprintf(inv->err, "the " SKELETON_PATH " that was there is now " KEPT_PATH "\n");
	return EXIT_OK;
}

int script_skeleton_run(struct invocation *inv)
{
	const struct script_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(session_freep) struct session *session = NULL;
	struct session_options how = { .path = input_path(o->input.path), .force = o->input.force };
	int r = check_language(o->gen_script, &diag);

	if (r >= 0)
		r = session_open(&how, &session, &diag);
	if (r >= 0)
		r = reading_stream_header(session, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	r = generate(inv, session, &diag);
	reading_stream_rest(session, &diag);
	return r;
}
