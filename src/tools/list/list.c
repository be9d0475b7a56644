/* SPDX-License-Identifier: MIT */
/* perf list: lists the words that -e and -M accept. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/similar.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/terminal.h"
#include "event/catalog.h"
#include "event/env.h"
#include "event/suggest.h"
#include "kernel/cpuid.h"
#include "kernel/drm.h"
#include "kernel/hwmon.h"
#include "kernel/pmu.h"
#include "options/buildid-dir.h"
#include "options/tracing-dir.h"
#include "tools/list/event-list-view.h"
#include "tools/list/event-panel-view.h"

/* `perf list -i`: runs the browser of events, and carries out its result. */

/* The catalogs, and the messages about entries that could not be listed; all borrowed. */
struct list_pick {
	const struct catalog *catalogs;
	size_t n;
	const char *buildid_dir;
	const char *missing; /* what could not be listed; or NULL */
};

/* Runs the line. "perf" in it means this program, from wherever it was called. */
static int list_pick_run_line(const struct invocation *inv, const char *line)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	_cleanup_(freep) char *script = NULL;

	fprintf(command_err(inv), "$ %s\n", line);
	if (n > 0) {
		self[n] = '\0';
		setenv("PERF_SELF", self, 1);
		script = xasprintf("perf() { \"$PERF_SELF\" \"$@\"; }\n%s", line);
	} else {
		script = xstrdup(line);
	}
	execl("/bin/sh", "sh", "-c", script, (char *)NULL);
	return command_failf(inv, "cannot run a shell: %s", strerror(errno));
}

static void list_pick_print_line(const struct invocation *inv, const char *line)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (terminal_is(inv->out))
		escape_terminal(&t, line, strlen(line));
	else
		text_add(&t, line);
	fprintf(inv->out, "%s\n", t.chars);
}

static int list_pick_refuse(const struct invocation *inv, int error, struct diag *d)
{
	free(TAKE(d->hint));
	diag_hint(d, "Without -i the events are printed.");
	return command_fail(inv, error, d);
}

/*
 * Lets the user choose, then prints options, or runs the resulting command line. Returns the status
 * of perf list: 1 if nothing was chosen. Does not return if a command is run, or a signal arrived.
 */
static int list_pick(struct invocation *inv, const struct list_pick *what)
{
	const struct event_browser b = {
		.catalogs = what->catalogs,
		.n = what->n,
		.config = inv->config,
		.buildid_dir = what->buildid_dir,
		.missing = what->missing,
		.prints = !terminal_is(inv->out),
		.without_colour = inv->colour_when == COLOUR_NEVER,
	};
	_cleanup_(diag_done) struct diag d = { 0 };
	struct event_pick pick = { 0 };
	int r = event_browser_run(&b, &pick, &d);
	_cleanup_(freep) char *line = pick.line;

	if (r < 0)
		return list_pick_refuse(inv, r, &d);
	/* The terminal is given back, so the signal can have its usual effect. */
	if (r > 0)
		raise(r);
	if (!line)
		return EXIT_FAILED;
	if (pick.runs)
		return list_pick_run_line(inv, line);
	list_pick_print_line(inv, line);
	return EXIT_OK;
}

struct opts {
	bool brief, description, details;
	bool raw_dump, json, deprecated, debug, interactive;
	const char *cputype, *unit, *output;
};

static const struct opts defaults = { .brief = true };

static const struct option options[] = {
	OPT_FLAG('d', "desc", struct opts, brief, "say what events count (the default)"),
	OPT_FLAG('v', "long-desc", struct opts, description,
		 "say it at length; show the fields of tracepoints"),
	OPT_FLAG(0, "details", struct opts, details,
		 "show encodings, formulas, and the fields of tracepoints"),
	OPT_FLAG('i', "interactive", struct opts, interactive,
		 "choose in a browser: search, count, make a command line"),
	OPT_FLAG('j', "json", struct opts, json, "print JSON"),
	OPT_FLAG(0, "raw-dump", struct opts, raw_dump, "print bare names on one line"),
	OPT_STRING('o', "output", struct opts, output, "FILE", "write to FILE"),
	OPT_FLAG(0, "deprecated", struct opts, deprecated, "include events with a newer name"),
	OPT_STRING(0, "cputype", struct opts, cputype, "TYPE",
		   "only events of this kind of cores (core, atom)"),
	OPT_STRING(0, "unit", struct opts, unit, "PMU",
		   "only events of this PMU (cpu, software, tracepoint, tool, ...)"),
	OPT_FLAG(0, "debug", struct opts, debug, "say which CPU was found, on stderr"),
	OPT_END,
};

static const char *const usage[] = {
	"[<options>] [hw|sw|cache|tracepoint|pmu|sdt|pfm|metric|metricgroup|event_glob]", NULL
};

/*
 * One run. catalogs[i] is the result for selector i; without selectors there is one catalog with
 * everything.
 */
struct list_listing {
	struct invocation *inv;
	struct event_env *env;
	struct catalog_query query;
	struct catalog *catalogs;
	size_t n;
	int status;
	char *missing; /* for the browser: what could not be listed; or NULL */
};

static void list_listing_done(struct list_listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		catalog_done(&l->catalogs[i]);
	free(l->catalogs);
	free(l->missing);
	event_env_free(l->env);
}

/*
 * Returns the PMU: --cputype atom is the PMU cpu_atom. If all cores are alike, the option has no
 * effect.
 */
static char *choose_pmu(struct list_listing *l)
{
	const struct opts *o = l->inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *name = NULL;

	if (!o->cputype)
		return o->unit ? xstrdup(o->unit) : NULL;
	name = xasprintf("cpu_%s", o->cputype);
	if (pmu_list_find(event_env_pmus(l->env), name))
		return TAKE(name);
	diag_set(&d, 0, "--cputype: there is no PMU '%s' here", name);
	command_warn(l->inv, &d);
	return NULL;
}

static void list_complain(struct list_listing *l, const char *selector)
{
	_cleanup_(catalog_done) struct catalog all = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 }, ignored = { 0 };
	struct similar near = { .typed = selector };
	const struct catalog_query everything = { .buildid_dir = l->query.buildid_dir };

	catalog_gather(l->env, &everything, &all, &ignored);
	catalog_suggest(&all, &near);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	if (!strncmp(selector, "drm", 3) && !event_env_drm(l->env)->n) {
		diag_set(&d, 0, "no event matches '%s': %s", selector, SUGGEST_NO_DRM);
		suggest_drm(&d);
	} else {
		diag_set(&d, 0, "no event matches '%s'", selector);
		if (phrase)
			diag_hint(&d, "Did you mean %s?", phrase);
		else if (!strpbrk(selector, "*?["))
			diag_hint(&d, "'perf list' shows all events of this machine.");
	}
	command_fail(l->inv, 0, &d);
}

/*
 * Reports entries that could not be listed. The browser hides earlier output on the terminal, so
 * its message is kept for it.
 */
static void list_tell_missing(struct list_listing *l, const struct diag *d)
{
	const struct opts *o = l->inv->opts;

	if (!o->interactive)
		command_warn(l->inv, d);
	else if (!l->missing)
		l->missing = xstrdup(d->message);
}

/* Explains an empty list of hardware events, which may look as if something were broken. */
static void tell_no_counters(struct list_listing *l, const struct catalog *c)
{
	const unsigned hardware = 1u << CATALOG_HARDWARE | 1u << CATALOG_CACHE | 1u << CATALOG_PMU |
				  1u << CATALOG_HWMON | 1u << CATALOG_DRM;
	_cleanup_(diag_done) struct diag d = { 0 };
	size_t at = 0;

	if (!c->n && c->kinds == 1u << CATALOG_HWMON) {
		diag_set(&d, 0, "this machine shows no sensors in %s", HWMON_CLASS);
		list_tell_missing(l, &d);
		return;
	}
	if (c->n || !(c->kinds & hardware) || c->kinds & ~hardware ||
	    pmu_list_next_core(event_env_pmus(l->env), &at))
		return;
	diag_set(&d, 0, "this machine has no hardware counters, so there are no such events");
	diag_hint(&d, "Most virtual machines have none: use cpu-clock or task-clock, or give the "
		      "machine a PMU (QEMU: -cpu host,pmu=on).");
	list_tell_missing(l, &d);
}

/*
 * Adds the catalog of @selector. A word that matches nothing is an error, but a class or a pattern
 * may be empty.
 */
static void list_gather(struct list_listing *l, const char *selector)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct catalog *c = &l->catalogs[l->n++];
	int r;

	l->query.selector = selector;
	r = catalog_gather(l->env, &l->query, c, &d);
	if (r < 0)
		list_tell_missing(l, &d);
	tell_no_counters(l, c);
	if (c->n || (r >= 0 && (!selector || catalog_is_class(selector))))
		return;
	if (r >= 0)
		list_complain(l, selector);
	if (r < 0 || !catalog_is_pattern(selector))
		l->status = EXIT_FAILED;
}

static void list_print(const struct list_listing *l, FILE *out)
{
	const struct opts *o = l->inv->opts;
	const struct event_list_style style = {
		.brief = o->brief,
		.description = o->description,
		/* Scripts parse these rows and expect one line for each. */
		.generic = o->description || (!o->output && command_columns(l->inv, out)),
		.details = o->details,
		.width = terminal_width(l->inv->settings->out),
		.columns = o->output ? 0 : command_columns(l->inv, out),
	};
	/* The pager is read by a user, who wants a page, unlike other pipes. */
	bool paged = out != l->inv->settings->out && !o->output;

	if (o->json) {
		event_list_print_json(l->catalogs, l->n, out);
		return;
	}
	if (paged && !o->raw_dump)
		event_list_print_title(out);
	for (size_t i = 0; i < l->n; i++)
		if (o->raw_dump)
			event_list_print_names(&l->catalogs[i], out);
		else
			event_list_print_text(&l->catalogs[i], &style, out);
}

static int print_to_file(const struct list_listing *l, const char *path)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int fd = output_file_open(path, OUTPUT_TRUNCATE, 0666, &d);

	if (fd < 0)
		return command_fail(l->inv, fd, &d);

	_cleanup_(fclosep) FILE *f = fdopen(fd, "w");

	if (!f)
		return command_failf(l->inv, "cannot write '%s': %s", path, strerror(errno));
	errno = 0;
	list_print(l, f);
	if (fflush(f) != 0 || ferror(f))
		return command_failf(l->inv, "cannot write '%s': %s", path,
				     strerror(errno ? errno : EIO));
	return l->status;
}

static void print_cpuid(const struct invocation *inv)
{
	_cleanup_(freep) char *cpuid = NULL;

	if (cpuid_read("", 0, &cpuid) == 0)
		fprintf(command_err(inv), "Using CPUID %s\n", cpuid);
}

static int tools_list_pick(const struct list_listing *l)
{
	const struct opts *o = l->inv->opts;

	_cleanup_(diag_done) struct diag d = { 0 };

	if (o->json || o->raw_dump || o->output) {
		diag_set(&d, 0, "-i chooses events: it cannot be used with -j, -o or --raw-dump");
		return command_usage(l->inv, &d);
	}
	return list_pick(l->inv, &(struct list_pick){
					 .catalogs = l->catalogs,
					 .n = l->n,
					 .buildid_dir = l->query.buildid_dir,
					 .missing = l->missing,
				 });
}

static bool list_browses(const struct invocation *inv)
{
	return ((const struct opts *)inv->opts)->interactive;
}

static int list_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(freep) char *tracing = command_tracing_dir(inv),
			      *buildids = command_buildid_dir(inv), *pmu = NULL;
	_cleanup_(list_listing_done) struct list_listing l = { .inv = inv };

	if (o->debug)
		print_cpuid(inv);
	l.env = event_env_new(NULL, tracing);
	pmu = choose_pmu(&l);
	l.query = (struct catalog_query){
		.pmu = pmu,
		.buildid_dir = buildids,
		.formats = (o->details || o->description || o->interactive) && !o->raw_dump,
		.encodings = o->json,
		.deprecated = o->deprecated,
	};
	l.catalogs = xcalloc((size_t)inv->argc + 1, sizeof(l.catalogs[0]));
	if (!inv->argc)
		list_gather(&l, NULL);
	for (int i = 0; i < inv->argc; i++)
		list_gather(&l, inv->argv[i]);
	if (pmu && !l.catalogs[0].n)
		return command_failf(inv, "no events of a PMU '%s' here", pmu);
	if (o->interactive)
		return l.status ? l.status : tools_list_pick(&l);
	if (o->output)
		return print_to_file(&l, o->output);
	list_print(&l, inv->out);
	return l.status;
}

const struct command cmd_list = {
	.name = "list",
	.summary = "list the events and metrics that can be measured here",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.browses = list_browses,
	.run = list_run,
};
