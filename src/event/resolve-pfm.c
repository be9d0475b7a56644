/* SPDX-License-Identifier: MIT */
/*
 * Vendors' events that neither the kernel nor our tables know: libpfm4 has thousands. Its own
 * spelling, MEM_LOAD_RETIRED:L1_HIT, looks like a tracepoint; that of the vendor has a dot.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "event/env.h"
#include "event/pfm-encode.h"
#include "event/resolve.h"

static int resolve_pfm_encode(const char *name, struct pfm_encoding *ret)
{
	const char *why;

	return pfm_encode(name, ret, &why);
}

/* Encodes "a.b" as it is, and as "a:b". */
static int encode_either(const char *name, struct pfm_encoding *ret)
{
	_cleanup_(freep) char *colons = xstrdup(name);
	char *dot = strchr(colons, '.');

	if (resolve_pfm_encode(name, ret) >= 0)
		return 0;
	if (!dot)
		return -ENOENT;
	*dot = ':';
	return resolve_pfm_encode(colons, ret);
}

int resolve_pfm(struct event_resolver *r, const struct event_node *node)
{
	_cleanup_(freep) char *name = node->syntax == EVENT_SYNTAX_TRACEPOINT
					      ? xasprintf("%s:%s", node->system, node->name)
					      : xstrdup(node->name);
	struct pfm_encoding code;
	struct event *e;

	/* libpfm4 knows the machine on which it runs. */
	if (node->n_terms || !event_env_is_here(r->env) || encode_either(name, &code) < 0)
		return -ENOENT;
	e = resolve_add(r, code.type, code.config);
	e->attr.config1 = code.config1;
	e->attr.config2 = code.config2;
	e->attr.precise_ip = code.precise & 3;
	return 0;
}
