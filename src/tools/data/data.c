/* SPDX-License-Identifier: MIT */
/* perf data: converts a profile to another format. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "cli/command.h"
#include "foreign/any-session.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/symbols.h"
#include "options/time.h"
#include "options/verbosity.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/data/export.h"
#include "tools/data/formats.h"
#include "tools/data/json-view.h"

struct label_choice {
	unsigned labels;
	bool is_said;
};

struct opts {
	const char *input, *to_json;
	const char *to[N_EXPORT_FORMATS];
	struct label_choice labels;
	bool all, tod, force, lines;
	struct time_window time;
	struct symbol_request symbols;
};

static int set_labels(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *d)
{
	struct label_choice *choice = field;
	size_t offset, length;

	(void)o;
	choice->is_said = true;
	choice->labels = 0;
	if (negated || export_labels_parse(value, &choice->labels, &offset, &length) >= 0)
		return 0;
	diag_mark(d, -EINVAL, value, offset, length, "'%.*s' is not a label", (int)length,
		  value + offset);
	diag_hint(d, "Labels are comm, pid, tid, cpu and cgroup.");
	return -EINVAL;
}

static const struct option options[] = {
	OPT_INPUT(struct opts, input),
	OPT_STRING(0, "to-json", struct opts, to_json, "file",
		   "write JSON to this file (- is standard output)", .flags = OPTION_WRITES),
	OPT_STRING(0, "to-ctf", struct opts, to[EXPORT_TO_CTF], "directory",
		   "write Common Trace Format", .flags = OPTION_WRITES),
	OPT_STRING(0, "to-pprof", struct opts, to[EXPORT_TO_PPROF], "file",
		   "write stacks and their weights for pprof", .flags = OPTION_WRITES),
	OPT_STRING(0, "to-speedscope", struct opts, to[EXPORT_TO_SPEEDSCOPE], "file",
		   "write samples of each thread for speedscope", .flags = OPTION_WRITES),
	OPT_STRING(0, "to-folded", struct opts, to[EXPORT_TO_FOLDED], "file",
		   "write folded stacks, as perf script --folded", .flags = OPTION_WRITES),
	OPT_STRING(0, "to-chrome", struct opts, to[EXPORT_TO_CHROME], "file",
		   "write samples, tracepoints and who ran for chrome://tracing",
		   .flags = OPTION_WRITES),
	OPT_STRING(0, "to-firefox", struct opts, to[EXPORT_TO_FIREFOX], "file",
		   "write samples, markers and CPU use for profiler.firefox.com",
		   .flags = OPTION_WRITES),
	OPT_STRING(0, "to-perfetto", struct opts, to[EXPORT_TO_PERFETTO], "file",
		   "write samples, tracepoints and who ran for ui.perfetto.dev",
		   .flags = OPTION_WRITES),
	OPT_STRING(0, "to-otlp", struct opts, to[EXPORT_TO_OTLP], "file",
		   "write stacks and their weights as OpenTelemetry profiles",
		   .flags = OPTION_WRITES),
	OPT_STRING(0, "to-sqlite", struct opts, to[EXPORT_TO_SQLITE], "file",
		   "write a SQLite database: samples, threads, symbols, call paths",
		   .flags = OPTION_WRITES),
	OPT_STRING(0, "to-postgresql", struct opts, to[EXPORT_TO_POSTGRESQL], "file",
		   "write the same tables as SQL for psql", .flags = OPTION_WRITES),
	OPT_FLAG(0, "all", struct opts, all,
		 "with event, period and tracepoint fields of samples, and the other records"),
	OPT_FLAG(0, "tod", struct opts, tod, "times of the wall clock"),
	OPT_CALL(0, "time", struct opts, time, "start,stop",
		 "only samples of this span: 12.5,13 in seconds, or 10%/2, 0%-10%",
		 .set = time_window_set),
	OPT_FLAG('f', "force", struct opts, force,
		 "read files of other owners too; replace an output that exists"),
	OPT_CALL(0, "labels", struct opts, labels, "label[,label...]",
		 "separate samples of a stack by comm, pid, tid, cpu, cgroup", .set = set_labels),
	OPT_FLAG(0, "lines", struct opts, lines, "with files and lines of the source"),
	OPT_CHOICE(0, "inline", struct opts, symbols.inlines,
		   "inlined functions as frames (the default where perf unwinds)"),
	OPT_CHOICE(0, "demangle", struct opts, symbols.demangle,
		   "C++, Rust and D names as in the source (the default)"),
	OPT_SET(struct opts, symbols, symbol_file_options),
	OPT_VERBOSE_NOTHING,
	OPT_END,
};

static const char *const usage[] = { "convert [<options>]", NULL };

/* Returns the path of the output; NULL: no format was requested. */
static const char *output_path(const struct opts *o)
{
	for (size_t i = 0; i < N_EXPORT_FORMATS; i++)
		if (o->to[i])
			return o->to[i];
	return o->to_json;
}

/* Returns the requested format; NULL: JSON. */
static const struct export_format *export_format(const struct opts *o)
{
	for (size_t i = 0; i < N_EXPORT_FORMATS; i++)
		if (o->to[i])
			return export_formats[i];
	return NULL;
}

/* Checks settings that only one kind of output has. */
static int check_settings(const struct opts *o, struct diag *d)
{
	const struct export_format *f = export_format(o);

	if (f && ((o->all && !f->has_records) || (o->tod && !f->has_wall_clock)))
		return diag_set(d, -EINVAL, "%s is for --to-json and --to-ctf, not for --to-%s",
				o->all ? "--all" : "--tod", f->word);
	if (f && f->needs_path && !strcmp(output_path(o), "-"))
		return diag_set(d, -EINVAL, "--to-%s needs a %s, not standard output", f->word,
				f->open ? "folder" : "file");
	if (f && o->labels.labels && !f->has_labels)
		return diag_set(d, -EINVAL, "--to-%s has no labels", f->word);
	if (f && o->lines && !f->has_lines)
		return diag_set(d, -EINVAL, "--to-%s has no lines", f->word);
	if (!f && (o->labels.labels || o->lines || o->symbols.inlines != CHOICE_UNSAID))
		return diag_set(d, -EINVAL, "--labels, --lines and --inline are not for --to-json");
	return 0;
}

static int check_formats(const struct opts *o, struct diag *d)
{
	unsigned n = !!o->to_json;

	if (o->to_json && o->to[EXPORT_TO_CTF])
		return diag_set(d, -EINVAL, "You cannot specify both --to-ctf and --to-json.");
	for (size_t i = 0; i < N_EXPORT_FORMATS; i++)
		n += !!o->to[i];
	if (n > 1)
		return diag_set(d, -EINVAL, "only one format can be written at a time");
	if (!n) {
		diag_set(d, -EINVAL, "You must specify one of --to-ctf or --to-json.");
		diag_hint(d, "Other formats: 'perf data convert -h' lists them.");
		return -EINVAL;
	}
	return check_settings(o, d);
}

static int data_check(const struct invocation *inv, struct diag *d)
{
	const struct opts *o = inv->opts;

	if (!inv->argc)
		return diag_set(d, -EINVAL, "what to do with the profile is missing: convert");
	if (strcmp(inv->argv[0], "convert") != 0)
		return diag_set(d, -EINVAL, "Unknown command: %s", inv->argv[0]);
	if (inv->argc > 1)
		return diag_set(d, -EINVAL, "'%s' is too much: -i names the profile", inv->argv[1]);
	return check_formats(o, d);
}

/*
 * Opens the output. An existing file is not overwritten without -f. The path "-" gives a stream for
 * standard output.
 */
static int data_open_output(const struct opts *o, FILE **ret, struct diag *d)
{
	enum output_use use = o->force ? OUTPUT_TRUNCATE : OUTPUT_NEW;
	const char *path = output_path(o);
	bool is_stdout = !strcmp(path, "-");
	int fd = is_stdout ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
			   : output_file_open(path, use, 0644, d);

	if (fd < 0 && is_stdout)
		return diag_set(d, -errno, "cannot write to standard output: %s", strerror(errno));
	if (fd == -EEXIST)
		return diag_set(d, -EEXIST, "Output file exists. Use --force to overwrite it.");
	if (fd < 0)
		return fd;
	*ret = fdopen(fd, "w");
	if (!*ret)
		return diag_set(d, -errno, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}

static int refuse_output(const struct opts *o, int error, struct diag *d)
{
	return diag_set(d, -EIO, "cannot write '%s': %s", output_path(o),
			error ? strerror(error) : "it is full");
}

static int filter_by_time(const struct opts *o, struct session *s, struct time_span **spans,
			  struct sample_filter **ret, struct diag *d)
{
	int r = reading_spans(&o->time, s, spans, d);
	const struct sample_filter_request rq = { .spans = *spans, .n_spans = o->time.n };

	return r < 0 ? r : sample_filter_new(&rq, ret, d);
}

static int data_convert(const struct opts *o, struct session *s, FILE *out, uint64_t *ret_samples,
			struct diag *d)
{
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	_cleanup_(freep) struct time_span *spans = NULL;
	_cleanup_(data_json_freep) struct data_json *j = NULL;
	int r = filter_by_time(o, s, &spans, &filter, d);
	const struct data_json_options how = {
		.out = out, .session = s, .filter = filter, .all = o->all, .wall_clock = o->tod
	};

	if (r >= 0)
		r = data_json_new(&how, &j, d);
	if (r < 0)
		return r;
	r = data_json_write(j);
	if (r == -EIO)
		return refuse_output(o, data_json_write_error(j), d);
	if (r >= 0 && fflush(out) == EOF)
		return refuse_output(o, errno, d);
	*ret_samples = data_json_samples(j);
	return r;
}

static void data_tell(const struct invocation *inv, struct session *s, FILE *out, const char *title,
		      const struct export_counts *n)
{
	const struct opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	struct stat st = { 0 };

	reading_note_damage(s, &notes);
	reading_note_losses(s, &notes);
	reading_note_stacks(s, &notes);
	fstat(fileno(out), &st);
	fprintf(command_err(inv), "[ perf data convert: Converted '%s' into %s '%s' ]\n",
		input_path(o->input), title, output_path(o));
	fprintf(command_err(inv),
		"[ perf data convert: Converted and wrote %.3f MB (%" PRIu64 " samples",
		(double)(n->bytes ? n->bytes : (uint64_t)st.st_size) / 1024 / 1024, n->samples);
	if (n->records)
		fprintf(command_err(inv), ", %" PRIu64 " non-samples", n->records);
	fprintf(command_err(inv), ") ]\n");
	if (o->time.n && session_counts(s)->samples > n->samples)
		fprintf(command_err(inv), "[ perf data convert: Skipped %" PRIu64 " samples ]\n",
			session_counts(s)->samples - n->samples);
}

static int run_json(struct invocation *inv, const char *buildid_dir, struct diag *d)
{
	const struct opts *o = inv->opts;
	struct progress *progress = command_progress(inv, false, false);
	const struct reading_symbols names = { .request = &o->symbols,
					       .buildid_dir = buildid_dir,
					       .any_owner = o->force,
					       .progress = progress };
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = reading_symbolizer(&names);
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(fclosep) FILE *out = NULL;
	struct export_counts counts = { 0 };
	int r = reading_check_files(&names, d);

	if (r >= 0)
		r = any_session_open(&(struct session_options){ .path = input_path(o->input),
								.force = o->force,
								.symbolizer = symbols,
								.progress = progress },
				     &s, d);
	if (r >= 0)
		r = data_open_output(o, &out, d);
	if (r >= 0)
		r = data_convert(o, s, out, &counts.samples, d);
	if (r >= 0)
		data_tell(inv, s, out, "JSON data", &counts);
	return r;
}

/*
 * Returns the labels. Without the label for commands, a sample would count for the program of the
 * first mapping.
 */
static unsigned wanted_labels(const struct opts *o)
{
	if (o->labels.is_said || !export_format(o)->has_labels)
		return o->labels.labels;
	return 1U << EXPORT_LABEL_COMM;
}

static int run_export(struct invocation *inv, const char *buildid_dir, struct diag *d)
{
	const struct opts *o = inv->opts;
	const struct export_request rq = {
		.format = export_format(o),
		.settings = { .labels = wanted_labels(o),
			      .lines = o->lines,
			      .all = o->all,
			      .tod = o->tod },
		.path = input_path(o->input),
		.force = o->force,
		.symbols = o->symbols,
		.buildid_dir = buildid_dir,
		.time = o->time,
		.max_stack = PROFILE_MAX_STACK,
		.progress = command_progress(inv, false, false),
	};
	_cleanup_(fclosep) FILE *out = NULL;
	_cleanup_(exporting_done) struct exporting x;
	int r = exporting_open(&x, &rq, d);

	if (r >= 0)
		r = rq.format->open ? rq.format->open(output_path(o), &out, d)
				    : data_open_output(o, &out, d);
	if (r >= 0)
		r = exporting_write(&x, out, output_path(o), d);
	if (r == -EIO)
		return refuse_output(o, errno, d);
	if (r >= 0)
		data_tell(inv, x.profile.session, out, rq.format->title, &x.counts);
	return r;
}

static int data_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = data_check(inv, &d);

	if (r < 0)
		return command_usage(inv, &d);
	r = export_format(o) ? run_export(inv, buildid_dir, &d) : run_json(inv, buildid_dir, &d);
	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

static void data_done(void *opts)
{
	struct opts *o = opts;

	time_window_done(&o->time);
}

const struct command cmd_data = {
	.name = "data",
	.summary = "convert a profile to another format",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = data_run,
	.done = data_done,
};
