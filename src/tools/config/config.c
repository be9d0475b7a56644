/* SPDX-License-Identifier: MIT */
/* perf config: shows and changes the variables of perfconfig files. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/similar.h"
#include "cli/command.h"
#include "cli/config-file.h"
#include "cli/config.h"

/*
 * The names of variables that perfconfig files may have, so that a misspelled name is noticed when
 * it is stored.
 */

enum config_use {
	CONFIG_USED,      /* this perf uses it */
	CONFIG_ELSEWHERE, /* Linux's perf uses it, but this one has no use for it */
	CONFIG_UNKNOWN,
};

/*
 * Patterns. Those of commands' own options are in their tables too: tests/meta/man-options checks
 * this.
 */
static const char *const used[] = {
	"annotate.demangle",
	"annotate.demangle_kernel",
	"annotate.disassembler_style",
	"annotate.hide_src_code",
	"annotate.jump_arrows",
	"annotate.offset_level",
	"annotate.show_linenr",
	"annotate.show_nr_jumps",
	"annotate.show_nr_samples",
	"annotate.show_total_period",
	"annotate.use_offset",
	"buildid.dir",
	"call-graph.dump-size",
	"call-graph.inline",
	"call-graph.order",
	"call-graph.print-limit",
	"call-graph.print-type",
	"call-graph.record-mode",
	"call-graph.sort-key",
	"call-graph.threshold",
	"colors.*",
	"core.pager",
	"daemon.*",
	"diff.compute",
	"diff.order",
	"evlist.style",
	"ftrace.tracer",
	"hist.percentage",
	"kmem.default",
	"llvm.clang-bpf-cmd-template",
	"llvm.clang-opt",
	"llvm.clang-path",
	"llvm.dump-obj",
	"llvm.kbuild-dir",
	"llvm.opts",
	"pager.*",
	"record.build-id",
	"record.call-graph",
	"record.unwind",
	"report.children",
	"report.group",
	"report.percent-limit",
	"report.skip-empty",
	"report.sort-order",
	"report.sort_order",
	"session-*",
	"stat.big-num",
	"stat.bpf-counter-events",
	"top.call-graph",
	"top.children",
	"trace.add_events",
	"trace.args_alignment",
	"trace.no_inherit",
	"trace.show_arg_names",
	"trace.show_duration",
	"trace.show_prefix",
	"trace.show_timestamp",
	"trace.show_zeros",
	"trace.tracepoint_beautifiers",
	"tui.*",
	"ui.show-headers",
};

static const char *const elsewhere[] = {
	"annotate.addr2line",
	"annotate.disassemblers",
	"annotate.objdump",
	"auxtrace.dumpdir",
	"buildid-cache.debuginfod",
	"convert.queue-size",
	"core.proc-map-timeout",
	"help.*",
	"intel-pt.*",
	"llvm.kbuild-opts",
	"man.*",
	"record.aio",
	"record.debuginfod",
	"report.queue-size",
	"samples.context",
	"scripts.*",
};

static bool config_names_is_in(const char *const *names, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (glob_matches_any_case(names[i], key))
			return true;
	return false;
}

static enum config_use config_use_of(const char *key)
{
	if (config_names_is_in(used, ARRAY_SIZE(used), key))
		return CONFIG_USED;
	return config_names_is_in(elsewhere, ARRAY_SIZE(elsewhere), key) ? CONFIG_ELSEWHERE
									 : CONFIG_UNKNOWN;
}

/*
 * Returns the names that were probably meant: "'a' or 'b'"; NULL: none is similar. The caller frees
 * it.
 */
static char *config_similar_names(const char *key)
{
	struct similar s = { .typed = key };

	/*
	 * A name that begins with the typed text is nearer than all that have a similar spelling.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(used); i++)
		if (!strncasecmp(used[i], key, strlen(key)))
			return xasprintf("'%s'", used[i]);
	for (size_t i = 0; i < ARRAY_SIZE(used); i++)
		if (!glob_is_pattern(used[i]))
			similar_add(&s, used[i]);
	return similar_phrase(&s);
}

struct opts {
	bool list, get, set, system, user;
};

static const struct option options[] = {
	OPT_FLAG('l', "list", struct opts, list, "show all variables"),
	OPT_FLAG(0, "get", struct opts, get, "show the variables named; fail if one is not set"),
	OPT_FLAG(0, "set", struct opts, set, "set variables, each as section.name=value"),
	OPT_FLAG(0, "system", struct opts, system, "use /etc/perfconfig alone"),
	OPT_FLAG(0, "user", struct opts, user, "use ~/.perfconfig alone"),
	OPT_END,
};

static const char *const usage[] = {
	"[<file-option>] [--get] <section.name>...",
	"[<file-option>] [--set] <section.name>=<value>...",
	"[<file-option>] -l",
	NULL,
};

static void config_print_item(const struct config_item *item, FILE *out)
{
	fprintf(out, "%s.%s=%s\n", item->section, item->name, item->value);
}

/* Returns the file that --user, --system or the environment selects. */
static char *chosen_path(const struct opts *o)
{
	if (o->system)
		return config_path(CONFIG_SYSTEM);

	char *named = o->user ? NULL : config_path(CONFIG_NAMED);

	return named ? named : config_path(CONFIG_USER);
}

/*
 * Warns about an unused variable. It is stored in any case, because the file may be for another
 * perf too.
 */
static void config_warn_unused(const struct invocation *inv, const char *key)
{
	enum config_use use = config_use_of(key);
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *meant = NULL;

	if (use == CONFIG_USED)
		return;
	if (use == CONFIG_ELSEWHERE) {
		diag_set(&d, -ENOENT, "%s is stored, but this perf has no use for it", key);
	} else {
		meant = config_similar_names(key);
		diag_set(&d, -ENOENT, "%s is stored, but no variable has that name", key);
		if (meant)
			diag_hint(&d, "Did you mean %s?", meant);
		diag_hint(&d, "perf-config(1) lists the variables.");
	}
	command_warn(inv, &d);
}

static int tools_config_set(struct invocation *inv, const char *key, const char *value)
{
	_cleanup_(freep) char *path = chosen_path(inv->opts);
	_cleanup_(diag_done) struct diag d = { 0 };

	if (!path)
		return command_failf(inv, "$HOME is not set: where should ~/.perfconfig be?");

	int r = config_write_file(path, key, value, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	config_warn_unused(inv, key);
	return EXIT_OK;
}

static int tools_config_get(struct invocation *inv, const struct config *c, const char *key)
{
	const struct opts *o = inv->opts;
	const struct config_item *item = config_find(c, key);

	if (item)
		config_print_item(item, inv->out);
	return item || !o->get ? EXIT_OK : EXIT_FAILED;
}

/* Sets a variable and reads the file again, so that the next word can read it back. */
static int set_and_reread(struct invocation *inv, struct config *c, const char *key,
			  const char *value)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = chosen_path(inv->opts);
	int status = tools_config_set(inv, key, value);

	if (status != EXIT_OK)
		return status;
	return config_read_file(c, path, &d) < 0 ? command_fail(inv, 0, &d) : EXIT_OK;
}

/* Handles one word of the command line: section.name or section.name=value. */
static int config_handle(struct invocation *inv, struct config *c, char *word)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };
	char *value = o->get ? NULL : strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (value ? !*value : o->set) {
		diag_set(&d, -EINVAL, "'%s' has no value: write section.name=value", word);
		return command_usage(inv, &d);
	}
	if (config_check_key(word, &d) < 0)
		return command_fail(inv, 0, &d);
	return value ? set_and_reread(inv, c, word, value) : tools_config_get(inv, c, word);
}

static int check_usage(const struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (o->system && o->user)
		diag_set(&d, -EINVAL, "--system and --user are different files: one at a time");
	else if (o->list + o->get + o->set > 1)
		diag_set(&d, -EINVAL, "only one of --list, --get and --set at a time");
	else if (o->list && inv->argc)
		diag_set(&d, -EINVAL, "--list takes no arguments");
	else if ((o->get || o->set) && !inv->argc)
		diag_set(&d, -EINVAL, "which variable?");
	return d.message ? command_usage(inv, &d) : EXIT_OK;
}

static int config_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	int status = check_usage(inv);

	if (status != EXIT_OK)
		return status;
	if (o->system || o->user) {
		_cleanup_(freep) char *path = chosen_path(o);

		if (path && config_read_file(&c, path, &d) < 0)
			return command_fail(inv, 0, &d);
	} else {
		config_copy(&c, inv->config);
	}
	for (int i = 0; i < inv->argc && status == EXIT_OK; i++)
		status = config_handle(inv, &c, inv->argv[i]);
	for (size_t i = 0; !inv->argc && i < c.n; i++)
		config_print_item(&c.items[i], inv->out);
	return status;
}

const struct command cmd_config = {
	.name = "config",
	.summary = "show and change the variables of perfconfig files",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = config_run,
};
