/* SPDX-License-Identifier: MIT */
/* perf probe: makes an event of any place in the kernel, a module or a program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "options/tracing-dir.h"
#include "tools/probe/show.h"

static const struct probe_opts defaults = { .rq.max_probes = 128 };

/* Returns the struct that contains @field. */
static struct probe_opts *opts_of(void *field, const struct option *o)
{
	return (struct probe_opts *)((char *)field - o->offset);
}

/*
 * True if @word is the value of an option. Otherwise another option follows, and the value comes
 * later, as a bare argument (-V --externs FUNC).
 */
static bool probe_is_word(const char *word)
{
	return *word != '-';
}

/* True if @path is the file of a kernel module: nf_nat.ko, nf_nat.ko.xz, nf_nat.ko.debug. */
static bool is_module_file(const char *path)
{
	const char *end = strstr(path, ".ko");

	return end && (!end[3] || end[3] == '.') && access(path, F_OK) == 0;
}

/*
 * True if @word is a filter. An absolute path after -F, or a module's file, is instead the target
 * that contains the functions.
 */
static bool is_filter(const char *word)
{
	return *word != '-' && *word != '/' && !is_module_file(word);
}

static int probe_set_text(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	const struct probe_opts *opts = opts_of(field, o);
	struct probe_texts *texts = field;

	(void)diag;
	if (negated) {
		texts->n = 0;
		return 0;
	}
	*ARRAY_ADD(texts) = (struct probe_asked){
		.text = value && *value ? value : NULL,
		.program = opts->rq.program,
		.module = opts->rq.module,
	};
	return 0;
}

/* Applies the first target to the requests in front of it, so that the order does not matter. */
static void probe_adopt(struct probe_texts *texts, const char *program, const char *module)
{
	for (size_t i = 0; i < texts->n; i++) {
		struct probe_asked *a = &texts->items[i];

		if (a->program || a->module)
			continue;
		a->program = program;
		a->module = module;
	}
}

static void set_target(struct probe_opts *o, const char *program, const char *module)
{
	o->rq.program = program;
	o->rq.module = module;
	probe_adopt(&o->add, program, module);
	probe_adopt(&o->definition, program, module);
}

static int set_program(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	(void)negated;
	if (value && !*value)
		return diag_set(diag, -EINVAL, "-x needs the path of a program or a library");
	set_target(opts_of(field, o), value, NULL);
	return 0;
}

static int set_module(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)negated;
	if (value && !*value)
		return diag_set(diag, -EINVAL, "-m needs the name or the path of a module");
	set_target(opts_of(field, o), NULL, value);
	return 0;
}

#define DEFINITION "[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]"
#define POINT      "FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT"
#define LINES      "FUNC[:RLN[+NUM|-RLN2]]|SRC:ALN[+NUM|-ALN2]"
#define JOB        (OPTION_OPTIONAL | OPTION_EXCLUSIVE) /* only one of these */
#define LATER      .missing = "", .takes = probe_is_word, .flags = JOB | OPTION_LATER

static const struct option options[] = {
	OPT_CALL('a', "add", struct probe_opts, add, DEFINITION, "add this probe",
		 .set = probe_set_text, LATER),
	OPT_CALL('d', "del", struct probe_opts, del, "[GROUP:]EVENT",
		 "remove the probes of that name (a pattern)", .set = probe_set_text, LATER),
	OPT_STRING('l', "list", struct probe_opts, list, "[GROUP:]EVENT",
		   "list the probes there are (those that match)", .missing = "",
		   .takes = probe_is_word, .flags = JOB),
	OPT_STRING('L', "line", struct probe_opts, line, LINES,
		   "show source lines; those with a number can be probed", LATER),
	OPT_STRING('V', "vars", struct probe_opts, vars, POINT,
		   "show the variables that are to be had at this point", LATER),
	OPT_STRING('F', "funcs", struct probe_opts, funcs, "FILTER",
		   "list the functions that can be probed", .missing = "", .takes = is_filter,
		   .flags = JOB),
	OPT_CALL('D', "definition", struct probe_opts, definition, DEFINITION,
		 "print what would be written to the kernel", .set = probe_set_text, LATER),
	OPT_CALL('x', "exec", struct probe_opts, rq.program, "PATH",
		 "probe this program or shared library", .set = set_program),
	OPT_CALL('m', "module", struct probe_opts, rq.module, "NAME|PATH",
		 "probe this kernel module, by name or file", .set = set_module),
	OPT_STRING('k', "vmlinux", struct probe_opts, rq.vmlinux, "FILE",
		   "the kernel's image with debug information"),
	OPT_STRING('s', "source", struct probe_opts, rq.source, "DIR", "where the sources are"),
	OPT_STRING(0, "symfs", struct probe_opts, rq.symfs, "DIR",
		   "look for files with symbols below this directory"),
	OPT_FLAG('f', "force", struct probe_opts, rq.force,
		 "add a probe whose name exists under a name with a number"),
	OPT_FLAG('n', "dry-run", struct probe_opts, rq.dry_run,
		 "change nothing, but say what would"),
	OPT_FLAG(0, "cache", struct probe_opts, rq.cache,
		 "keep added probes in the build-id cache; list or remove those there"),
	OPT_UINT(0, "max-probes", struct probe_opts, rq.max_probes, "N",
		 "the most places that one probe may have (128)"),
	OPT_FLAG(0, "no-inlines", struct probe_opts, rq.no_inlines,
		 "leave out inlined copies of functions"),
	OPT_FLAG(0, "externs", struct probe_opts, rq.externs, "with -V: global variables too"),
	OPT_FLAG(0, "range", struct probe_opts, rq.range, "with -V: where each variable is valid"),
	OPT_STRING(0, "filter", struct probe_opts, rq.filter, "[!]FILTER",
		   "with -V and -F: only names that match; !, &, | and () combine patterns"),
	OPT_UINT(0, "target-ns", struct probe_opts, rq.target_ns, "PID",
		 "the program is as this process sees it (containers)"),
	OPT_CHOICE(0, "demangle", struct probe_opts, demangle,
		   "C++ and Rust functions by their names in the source (default)"),
	OPT_FLAG(0, "demangle-kernel", struct probe_opts, rq.demangle_kernel,
		 "demangle symbols of the kernel too"),
	OPT_FLAG(0, "bootconfig", struct probe_opts, bootconfig,
		 "with -D: as the kernel's boot configuration takes it"),
	OPT_SET(struct probe_opts, verbosity, verbosity_options),
	OPT_END,
};

static const char *const usage[] = {
	"[<options>] 'PROBEDEF' ['ARG' ...]",
	"[<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]",
	"[<options>] --del '[GROUP:]EVENT' ...",
	"--list [GROUP:]EVENT ...",
	"[<options>] --line 'LINEDESC'",
	"[<options>] --vars 'PROBEPOINT'",
	"[<options>] --funcs",
	"[<options>] --definition 'PROBEDEF' ...",
	NULL,
};

/*
 * Takes the target if it is the first bare argument: an absolute path, or a module's file (-F
 * ./bridge.ko).
 */
static void probe_take_target(struct invocation *inv, struct probe_opts *o)
{
	const char *path = inv->argv[0];

	if (!inv->argc || o->rq.program || o->rq.module)
		return;
	if (!is_module_file(path) && (*path != '/' || access(path, F_OK) != 0))
		return;
	if (is_module_file(path))
		set_target(o, NULL, path);
	else
		set_target(o, path, NULL);
	inv->argv++;
	inv->argc--;
}

static const char *probe_take_word(struct invocation *inv)
{
	if (!inv->argc)
		return NULL;
	inv->argc--;
	return *inv->argv++;
}

/* Joins the remaining bare arguments into one text: `perf probe schedule:12 cpu`. */
static const char *probe_take_rest(struct invocation *inv, struct probe_opts *o)
{
	struct text t = TEXT_EMPTY;

	if (!inv->argc)
		return NULL;
	while (inv->argc)
		text_addf(&t, "%s%s", t.length ? " " : "", probe_take_word(inv));
	free(o->joined);
	o->joined = text_take(&t);
	return o->joined;
}

/* Fills in the values that came later than their options. Returns -EINVAL if one is missing. */
static int fill_texts(struct invocation *inv, struct probe_opts *o, struct probe_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++) {
		struct probe_asked *a = &texts->items[i];

		if (!a->text)
			a->text = texts == &o->del ? probe_take_word(inv) : probe_take_rest(inv, o);
		if (!a->text)
			return -EINVAL;
	}
	return 0;
}

static int fill_word(struct invocation *inv, const char **word)
{
	if (*word && !**word)
		*word = probe_take_word(inv);
	else
		return 0;
	return *word ? 0 : -EINVAL;
}

static int probe_fill(struct invocation *inv, struct probe_opts *o, struct diag *diag)
{
	if (fill_texts(inv, o, &o->add) < 0)
		return diag_set(diag, -EINVAL, "option `add' requires a value");
	if (fill_texts(inv, o, &o->definition) < 0)
		return diag_set(diag, -EINVAL, "option `definition' requires a value");
	if (fill_texts(inv, o, &o->del) < 0)
		return diag_set(diag, -EINVAL, "option `del' requires a value");
	if (fill_word(inv, &o->line) < 0)
		return diag_set(diag, -EINVAL, "option `line' requires a value");
	if (fill_word(inv, &o->vars) < 0)
		return diag_set(diag, -EINVAL, "option `vars' requires a value");
	return 0;
}

static bool wants_add(const struct probe_opts *o)
{
	return o->add.n > 0;
}

static bool wants_definition(const struct probe_opts *o)
{
	return o->definition.n > 0;
}

static bool wants_del(const struct probe_opts *o)
{
	return o->del.n > 0;
}

static bool wants_list(const struct probe_opts *o)
{
	return o->list;
}

static bool wants_lines(const struct probe_opts *o)
{
	return o->line;
}

static bool wants_vars(const struct probe_opts *o)
{
	return o->vars;
}

static bool wants_funcs(const struct probe_opts *o)
{
	return o->funcs;
}

/* The actions. The options that select them exclude each other. */
static const struct action {
	bool (*wanted)(const struct probe_opts *o);
	int (*run)(struct invocation *inv, const struct probe_opts *o);
} actions[] = {
	{ wants_add, probe_show_added },   { wants_definition, probe_show_definitions },
	{ wants_del, probe_show_deleted }, { wants_list, probe_show_list },
	{ wants_lines, probe_show_lines }, { wants_vars, probe_show_vars },
	{ wants_funcs, probe_show_funcs },
};

static const struct action *action_find(const struct probe_opts *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (actions[i].wanted(o))
			return &actions[i];
	return NULL;
}

/*
 * Takes the bare arguments. They are values that came later, or, without such an option, a
 * definition or patterns.
 */
static int probe_take_words(struct invocation *inv, struct probe_opts *o, struct diag *diag)
{
	probe_take_target(inv, o);

	int r = probe_fill(inv, o, diag);

	if (r < 0)
		return r;
	if (o->list && !*o->list && inv->argc)
		o->list = probe_take_word(inv);
	if (o->funcs && !*o->funcs && inv->argc)
		o->funcs = probe_take_word(inv);
	while (o->del.n && inv->argc)
		*ARRAY_ADD(&o->del) = (struct probe_asked){ .text = probe_take_word(inv) };
	return 0;
}

static int take_definition(struct invocation *inv, struct probe_opts *o, struct diag *diag)
{
	if (!inv->argc)
		return 0;
	if (o->list || o->line || o->vars || o->funcs)
		return diag_set(diag, -EINVAL, "'%s' is one word too many: %s takes one",
				inv->argv[0],
				o->list   ? "--list"
				: o->line ? "--line"
				: o->vars ? "--vars"
					  : "--funcs");
	if (o->definition.n)
		*ARRAY_ADD(&o->definition) = (struct probe_asked){ probe_take_rest(inv, o),
								   o->rq.program, o->rq.module };
	else
		*ARRAY_ADD(&o->add) = (struct probe_asked){ probe_take_rest(inv, o), o->rq.program,
							    o->rq.module };
	return 0;
}

static int probe_check(const struct probe_opts *o, struct diag *diag)
{
	if (o->verbosity.quiet && o->verbosity.verbose)
		return diag_set(diag, -EINVAL, "-v and -q exclude each other");
	if (!o->rq.max_probes)
		return diag_set(diag, -EINVAL, "--max-probes: there must be room for one");
	if (o->bootconfig && !o->definition.n)
		return diag_set(diag, -EINVAL, "--bootconfig goes with --definition");
	if (o->rq.target_ns > INT32_MAX)
		return diag_set(diag, -EINVAL, "--target-ns: %llu is not a process",
				(unsigned long long)o->rq.target_ns);
	return 0;
}

/* Runs with -q: no message at all, not even about errors. Scripts check the status. */
static int run_quietly(const struct action *action, struct invocation *inv)
{
	FILE *err = inv->err;
	_cleanup_(fclosep) FILE *null = fopen("/dev/null", "we");
	int status;

	if (null)
		inv->err = null;
	status = action->run(inv, inv->opts);
	inv->err = err;
	return status;
}

static int probe_run(struct invocation *inv)
{
	struct probe_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *buildid_dir = NULL, *tracing_dir = NULL;
	const struct action *action;

	if (probe_take_words(inv, o, &d) < 0 || take_definition(inv, o, &d) < 0 ||
	    probe_check(o, &d) < 0)
		return command_usage(inv, &d);
	action = action_find(o);
	if (!action) {
		command_print_help(inv->command, NULL, command_columns(inv, inv->err),
				   command_err(inv));
		return EXIT_USAGE;
	}
	o->rq.buildid_dir = buildid_dir = command_buildid_dir(inv);
	o->rq.tracing_dir = tracing_dir = command_tracing_dir(inv);
	o->rq.progress = command_progress(inv, o->verbosity.quiet, false);
	o->rq.offline = o->definition.n > 0;
	o->rq.verbose = o->verbosity.verbose;
	o->rq.no_demangle = o->demangle == CHOICE_NO;
	return o->verbosity.quiet ? run_quietly(action, inv) : action->run(inv, o);
}

static void probe_done(void *opts)
{
	struct probe_opts *o = opts;

	free(o->add.items);
	free(o->definition.items);
	free(o->del.items);
	free(o->joined);
}

const struct command cmd_probe = {
	.name = "probe",
	.summary = "define tracepoints in the kernel and in programs",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct probe_opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = probe_run,
	.done = probe_done,
};
