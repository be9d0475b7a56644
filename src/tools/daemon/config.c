/* SPDX-License-Identifier: MIT */
/* The configuration files of `perf daemon`, and the plans in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/config-file.h"
#include "cli/config.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/plan-work.h"

void daemon_config_done(struct daemon_config *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->paths[i]);
	*c = (struct daemon_config){ .n = 0 };
}

/*
 * Returns the absolute path, because the daemon works in another folder. A link is kept, because it
 * may lead elsewhere later.
 */
static char *daemon_config_absolute(const char *path)
{
	_cleanup_(freep) char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);

	return here ? xasprintf("%s/%s", here, path) : xstrdup(path);
}

static void daemon_config_add_path(struct daemon_config *c, char *path)
{
	if (path && access(path, F_OK) == 0 && strcmp(path, "/dev/null"))
		c->paths[c->n++] = daemon_config_absolute(path);
	free(path);
}

static void add_usual(struct daemon_config *c)
{
	char *named = config_path(CONFIG_NAMED);

	if (named) {
		daemon_config_add_path(c, named);
		return;
	}
	daemon_config_add_path(c, config_path(CONFIG_SYSTEM));
	daemon_config_add_path(c, config_path(CONFIG_USER));
}

int daemon_config_find(const struct daemon_opts *o, struct daemon_config *ret, struct diag *diag)
{
	*ret = (struct daemon_config){ .n = 0 };
	if (!o->config)
		add_usual(ret);
	else if (access(o->config, F_OK) == 0)
		ret->paths[ret->n++] = daemon_config_absolute(o->config);
	if (ret->n)
		return 0;
	if (o->config)
		return diag_set(diag, -ENOENT, "config '%s' not found", o->config);
	diag_set(diag, -ENOENT, "config not found");
	diag_hint(
		diag,
		"Name it with --config, or write ~/.perfconfig: 'perf help daemon' describes it.");
	return -ENOENT;
}

int daemon_config_read(void *config, struct daemon_plan *ret, struct diag *diag)
{
	const struct daemon_config *files = config;
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(daemon_plan_done) struct daemon_plan plan = { 0 };
	int r = 0;

	for (size_t i = 0; i < files->n && r >= 0; i++)
		r = config_read_file(&c, files->paths[i], diag);
	for (size_t i = 0; i < c.n && r >= 0; i++) {
		const struct config_item *item = &c.items[i];
		const struct daemon_setting s = { .section = item->section,
						  .name = item->name,
						  .value = item->value,
						  .origin = item->origin,
						  .line = item->line,
						  .column = item->column };

		r = daemon_plan_add(&plan, &s, diag);
	}
	if (r >= 0)
		r = daemon_plan_check(&plan, diag);
	if (r < 0)
		return r;
	*ret = plan;
	plan = (struct daemon_plan){ 0 };
	return 0;
}
