/* SPDX-License-Identifier: MIT */
#include "cmd/annotate-job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/workers.h"
#include "cli/command.h"
#include "cmd/annotate-opts.h"
#include "cmd/buildid-dir.h"
#include "cmd/opt/input.h"
#include "job/reading.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "symbol/symbolizer.h"
#include "symbol/text-files.h"
#include "view/report/dump.h"

#define WORKERS_MAX 16

static int on_samples(void *arg, const struct sample_batch *b)
{
	struct annotate_job *j = arg;

	annotation_take(j->annotation, b);
	return 0;
}

static int collect(struct annotate_job *j)
{
	const struct consumer consumer = { .filter = j->filter, .samples = on_samples, .arg = j };
	int r = session_feed(j->session, j->workers, &consumer, j->diag);

	if (r >= 0)
		annotation_settle(j->annotation);
	return r;
}

/* Everything that the threads work with, each with its own disassemblers. */
static int make_tools(struct annotate_job *j, struct code_store *code, struct text_files *sources)
{
	const struct annotate_opts *o = j->opts;
	struct listing_tools t = {
		.code = code,
		.sources = sources,
		.with_lines = o->print_line,
		.raw = o->asm_raw == CHOICE_YES,
		.lock = &j->lock,
	};
	int r = o->style ? disassembler_syntax_parse(o->style, &t.syntax, j->diag) : 0;

	if (r < 0)
		return r;
	j->tools = xcalloc(j->n_workers, sizeof(*j->tools));
	for (unsigned i = 0; i < j->n_workers; i++)
		j->tools[i] = t;
	return 0;
}

static bool wants_source(const struct annotate_opts *o)
{
	if (o->source == CHOICE_UNSAID)
		return !(o->stdio2 && o->layout.hide_source);
	return o->source == CHOICE_YES;
}

static int annotate(struct annotate_job *j)
{
	const struct annotate_opts *o = j->opts;
	_cleanup_(code_store_freep) struct code_store *code = code_store_new();
	_cleanup_(text_files_freep) struct text_files *sources = text_files_new(
		&(struct text_files_options){ .prefix = o->prefix, .strip = o->prefix_strip });
	int r = make_tools(j, code, wants_source(o) ? sources : NULL);

	if (r >= 0)
		r = collect(j);
	if (r >= 0)
		r = annotate_show(j);
	for (unsigned i = 0; j->tools && i < j->n_workers; i++)
		listing_tools_done(&j->tools[i]);
	free(j->tools);
	return r;
}

static int print(struct annotate_job *j)
{
	const struct annotate_opts *o = j->opts;
	const struct sample_filter_request request = { .cpus = &o->cpus, .dsos = o->dsos };
	int r;

	if (o->dump_raw)
		return report_dump_print(
			j->session, &(struct report_dump_options){ .out = j->inv->out }, j->diag);
	r = sample_filter_new(&request, &j->filter, j->diag);
	if (r < 0)
		return r;
	j->workers = workers_new(0, WORKERS_MAX);
	j->n_workers = workers_count(j->workers);
	j->annotation = annotation_new(&(struct annotation_options){
		.session = j->session, .filter = j->filter, .n_workers = j->n_workers });
	pthread_mutex_init(&j->lock, NULL);
	r = annotate(j);
	pthread_mutex_destroy(&j->lock);
	annotate_unshown_done(j);
	annotation_free(j->annotation);
	workers_free(j->workers);
	sample_filter_free(j->filter);
	return r;
}

static int work(struct annotate_job *j)
{
	struct notes notes = command_notes(j->inv);
	int r = print(j);

	reading_note_damage(j->session, &notes);
	reading_note_losses(j->session, &notes);
	/* Lost output is told by whoever closes it. */
	if (r < 0 && ferror(j->inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(j->inv, r, j->diag) : EXIT_OK;
}

int annotate_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct annotate_opts *o = inv->opts;
	struct progress *progress = command_progress(inv, o->quiet, false);
	_cleanup_(freep) char *buildid_dir = command_symbols_dir(inv, &o->symbols);
	const struct reading_symbols how = {
		.request = &o->symbols,
		.buildid_dir = buildid_dir,
		.ignore_vmlinux = o->ignore_vmlinux,
		.any_owner = o->force,
		.progress = progress,
	};
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = reading_symbolizer(&how);
	_cleanup_(session_freep) struct session *session = NULL;
	const struct session_options so = {
		.path = input_path(o->input),
		.force = o->force,
		.symbolizer = symbols,
		.progress = progress,
	};
	int r = symbol_files_check(&how, &diag);

	if (r >= 0)
		r = session_open(&so, &session, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	return work(
		&(struct annotate_job){ .inv = inv, .opts = o, .session = session, .diag = &diag });
}
