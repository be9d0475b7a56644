/* SPDX-License-Identifier: MIT */
/* perf config: shows and changes the variables of perfconfig files. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/config-file.h"
#include "cli/config.h"
#include "tools/config/names.h"

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

/* The file that --user, --system or the environment means. */
static char *chosen_path(const struct opts *o)
{
	if (o->system)
		return config_path(CONFIG_SYSTEM);

	char *named = o->user ? NULL : config_path(CONFIG_NAMED);

	return named ? named : config_path(CONFIG_USER);
}

/* It is stored in any case: the file may be for another perf, too. */
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

/* Reads the file again, so that what was set can be read back by the next word. */
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

/* One word of the command line: section.name or section.name=value. */
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
