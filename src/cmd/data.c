/* SPDX-License-Identifier: MIT */
/* perf data: a profile in another format. */
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
#include "cmd/buildid-dir.h"
#include "cmd/opt/input.h"
#include "cmd/opt/symbols.h"
#include "cmd/opt/verbosity.h"
#include "job/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "view/data-json.h"

struct opts {
	const char *input, *to_json, *to_ctf;
	bool all, tod, force;
	struct symbol_request symbols;
};

static const struct option options[] = {
	OPT_INPUT(struct opts, input),
	OPT_STRING(0, "to-json", struct opts, to_json, "file",
		   "write JSON to this file (- is standard output)"),
	OPT_STRING(0, "to-ctf", struct opts, to_ctf, "directory", "write Common Trace Format"),
	OPT_FLAG(0, "all", struct opts, all,
		 "with event, period and tracepoint fields of samples, and the other records"),
	OPT_FLAG(0, "tod", struct opts, tod, "times of the wall clock"),
	OPT_FLAG('f', "force", struct opts, force,
		 "read files of other owners too; replace an output that exists"),
	OPT_VERBOSE_NOTHING,
	OPT_END,
};

static const char *const usage[] = { "convert [<options>]", NULL };

static int check(const struct invocation *inv, struct diag *d)
{
	const struct opts *o = inv->opts;

	if (!inv->argc)
		return diag_set(d, -EINVAL, "what to do with the profile is missing: convert");
	if (strcmp(inv->argv[0], "convert") != 0)
		return diag_set(d, -EINVAL, "Unknown command: %s", inv->argv[0]);
	if (inv->argc > 1)
		return diag_set(d, -EINVAL, "'%s' is too much: -i names the profile", inv->argv[1]);
	if (o->to_json && o->to_ctf)
		return diag_set(d, -EINVAL, "You cannot specify both --to-ctf and --to-json.");
	if (!o->to_json && !o->to_ctf)
		return diag_set(d, -EINVAL, "You must specify one of --to-ctf or --to-json.");
	return 0;
}

/* An existing file is left alone unless -f says otherwise; who wants no file gets a stream. */
static int open_output(const struct opts *o, FILE **ret, struct diag *d)
{
	enum output_use use = o->force ? OUTPUT_TRUNCATE : OUTPUT_NEW;
	bool is_stdout = !strcmp(o->to_json, "-");
	int fd = is_stdout ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
			   : output_file_open(o->to_json, use, 0644, d);

	if (fd < 0 && is_stdout)
		return diag_set(d, -errno, "cannot write to standard output: %s", strerror(errno));
	if (fd == -EEXIST)
		return diag_set(d, -EEXIST, "Output file exists. Use --force to overwrite it.");
	if (fd < 0)
		return fd;
	*ret = fdopen(fd, "w");
	if (!*ret)
		return diag_set(d, -errno, "cannot write '%s': %s", o->to_json, strerror(errno));
	return 0;
}

static int refuse_output(const struct opts *o, struct diag *d)
{
	return diag_set(d, -EIO, "cannot write '%s': %s", o->to_json,
			errno ? strerror(errno) : "it is full");
}

static int convert(const struct opts *o, struct session *s, FILE *out, uint64_t *ret_samples,
		   struct diag *d)
{
	const struct data_json_options how = {
		.out = out, .session = s, .all = o->all, .wall_clock = o->tod
	};
	_cleanup_(data_json_freep) struct data_json *j = NULL;
	int r = data_json_new(&how, &j, d);

	if (r < 0)
		return r;
	errno = 0;
	r = data_json_write(j);
	if (r == -EIO || (r >= 0 && fflush(out) == EOF))
		return refuse_output(o, d);
	*ret_samples = data_json_samples(j);
	return r;
}

static void tell(const struct invocation *inv, struct session *s, FILE *out, uint64_t samples)
{
	const struct opts *o = inv->opts;
	const char *from = input_path(o->input);
	struct notes notes = command_notes(inv);
	struct stat st = { 0 };

	reading_note_damage(s, &notes);
	reading_note_losses(s, &notes);
	reading_note_stacks(s, &notes);
	fstat(fileno(out), &st);
	fprintf(inv->err, "[ perf data convert: Converted '%s' into JSON data '%s' ]\n", from,
		o->to_json);
	fprintf(inv->err,
		"[ perf data convert: Converted and wrote %.3f MB (%" PRIu64 " samples) ]\n",
		(double)st.st_size / 1024 / 1024, samples);
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	struct progress *progress = command_progress(inv, false, false);
	_cleanup_(freep) char *buildid_dir = command_symbols_dir(inv, &o->symbols);
	const struct reading_symbols names = { .request = &o->symbols,
					       .buildid_dir = buildid_dir,
					       .any_owner = o->force,
					       .progress = progress };
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = NULL;
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(fclosep) FILE *out = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t samples = 0;
	int r = check(inv, &d);

	if (r < 0)
		return command_usage(inv, &d);
	if (o->to_ctf) {
		diag_set(&d, -EOPNOTSUPP, "CTF cannot be written in this version");
		diag_hint(&d, "Use --to-json, or `perf script' for text.");
		return command_fail(inv, -EOPNOTSUPP, &d);
	}
	symbols = reading_symbolizer(&names);
	r = session_open(&(struct session_options){ .path = input_path(o->input),
						    .force = o->force,
						    .symbolizer = symbols,
						    .progress = progress },
			 &s, &d);
	if (r >= 0)
		r = open_output(o, &out, &d);
	if (r >= 0)
		r = convert(o, s, out, &samples, &d);
	if (r < 0)
		return command_fail(inv, r, &d);
	tell(inv, s, out, samples);
	return EXIT_OK;
}

const struct command cmd_data = {
	.name = "data",
	.summary = "convert a profile to another format",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = run,
};
