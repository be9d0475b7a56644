/* SPDX-License-Identifier: MIT */
#include "tools/kmem/opts.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "options/input.h"
#include "options/time.h"
#include "options/value.h"

static int caller_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	struct kmem_choice *c = field;

	(void)o, (void)value, (void)negated, (void)diag;
	c->shown[KMEM_TABLE_CALLER] = true;
	c->last_table = KMEM_TABLE_CALLER;
	return 0;
}

static int alloc_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct kmem_choice *c = field;

	(void)o, (void)value, (void)negated, (void)diag;
	c->shown[KMEM_TABLE_ALLOC] = true;
	c->last_table = KMEM_TABLE_ALLOC;
	return 0;
}

static int slab_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct kmem_choice *c = field;

	(void)o, (void)value, (void)negated, (void)diag;
	c->slab = true;
	c->last_allocator = KMEM_SLAB;
	return 0;
}

static int page_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct kmem_choice *c = field;

	(void)o, (void)value, (void)negated, (void)diag;
	c->page = true;
	c->last_allocator = KMEM_PAGE;
	return 0;
}

static int sort_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct kmem_choice *c = field;
	enum kmem_allocator a = c->last_allocator;

	(void)o, (void)negated;
	if (!c->slab && !c->page && c->page_is_default)
		a = KMEM_PAGE;
	c->limited[c->last_table] = true;
	return kmem_keys_parse(a, value, &c->keys[a][c->last_table], diag);
}

static int line_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct kmem_choice *c = field;
	int64_t n;

	(void)negated;
	if (number_parse_signed(value, &n) < 0)
		return value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a number",
				    value);
	c->limited[c->last_table] = true;
	c->lines[c->last_table] = n;
	return 0;
}

static int default_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct kmem_choice *c = field;

	(void)o, (void)negated;
	if (strcmp(value, "slab") != 0 && strcmp(value, "page") != 0)
		return diag_set(diag, -EINVAL, "kmem.default is slab or page, and not '%s'", value);
	c->page_is_default = !strcmp(value, "page");
	return 0;
}

#define OPT_TABLE(l, n, a, h, fn, ...)                                                             \
	OPT_CALL(l, n, struct kmem_opts, choice, a, h, .set = fn, ##__VA_ARGS__)
#define SWITCH .flags = OPTION_NO_VALUE | OPTION_NO_NEGATION

const struct option kmem_options[] = {
	OPT_INPUT(struct kmem_opts, input),
	OPT_FORCE(struct kmem_opts, force),
	OPT_COUNT('v', "verbose", struct kmem_opts, verbose,
		  "say more: frees that have no allocation"),

	OPT_HEADING("What to look at:"),
	OPT_TABLE(0, "slab", NULL, "objects of the slab allocator (the default)", slab_set, SWITCH),
	OPT_TABLE(0, "page", NULL, "pages", page_set, SWITCH),
	OPT_CALL(0, "time", struct kmem_opts, time, "from,to", "only events of this time",
		 .set = time_window_set, .flags = OPTION_NO_NEGATION),

	OPT_HEADING("Tables:"),
	OPT_TABLE(0, "caller", NULL, "a table by call site", caller_set, SWITCH),
	OPT_TABLE(0, "alloc", NULL, "a table by address, or by page", alloc_set, SWITCH),
	OPT_FLAG(0, "live", struct kmem_opts, live, "what was not freed"),
	OPT_TABLE('s', "sort", "key[,key2...]",
		  "sort by ptr, callsite, bytes, hit, pingpong, frag; with --page by page, "
		  "callsite, bytes, hit, order, migtype, gfp",
		  sort_set, .flags = OPTION_NO_NEGATION),
	OPT_TABLE('l', "line", "num", "at most so many rows", line_set,
		  .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "raw-ip", struct kmem_opts, raw_ip, "addresses in place of functions"),
	OPT_TABLE(0, NULL, "slab|page", "what is looked at without --slab and --page", default_set,
		  .config = "kmem.default"),
	OPT_END,
};

void kmem_opts_done(struct kmem_opts *o)
{
	time_window_done(&o->time);
}

bool kmem_wants_slab(const struct kmem_choice *c)
{
	return c->slab || (!c->page && !c->page_is_default);
}

bool kmem_wants_page(const struct kmem_choice *c)
{
	return c->page || (!c->slab && c->page_is_default);
}
