/* SPDX-License-Identifier: MIT */
/*
 * perf kmem record: runs perf record for the events of the kernel's memory allocators, on all CPUs.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/kmem/opts.h"

/* Since Linux 6.0 the events without _node report the node, and the others do not exist. */
static const struct record_event slab_events[] = {
	{ .name = "kmem:kmalloc" },
	{ .name = "kmem:kmalloc_node", .optional = true },
	{ .name = "kmem:kfree" },
	{ .name = "kmem:kmem_cache_alloc" },
	{ .name = "kmem:kmem_cache_alloc_node", .optional = true },
	{ .name = "kmem:kmem_cache_free" },
};

static const struct record_event page_events[] = {
	{ .name = "kmem:mm_page_alloc" },
	{ .name = "kmem:mm_page_free" },
};

static void kmem_record_warn_unused(const struct invocation *inv)
{
	const struct kmem_opts *o = inv->opts;
	const struct kmem_choice *c = &o->choice;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const char *unused = o->input                       ? "-i"
			     : o->force                     ? "-f"
			     : o->live                      ? "--live"
			     : o->raw_ip                    ? "--raw-ip"
			     : o->time.n                    ? "--time"
			     : c->shown[KMEM_TABLE_CALLER]  ? "--caller"
			     : c->shown[KMEM_TABLE_ALLOC]   ? "--alloc"
			     : c->limited[KMEM_TABLE_ALLOC] ? "--sort or --line"
							    : NULL;

	if (!unused)
		return;
	diag_set(&diag, 0, "%s before 'record' has no effect: nothing is shown", unused);
	if (o->input)
		diag_hint(&diag,
			  "The file that is written is named after it: perf kmem record -o FILE");
	command_warn(inv, &diag);
}

/* Takes --slab and --page after the subcommand, in front of the arguments for perf record. */
static void kmem_record_take_words(struct invocation *inv, struct kmem_choice *c)
{
	for (; *inv->argv; inv->argv++, inv->argc--) {
		if (!strcmp(*inv->argv, "--slab"))
			c->slab = true;
		else if (!strcmp(*inv->argv, "--page"))
			c->page = true;
		else
			return;
	}
}

static int kmem_record_add_events(struct record_line *l, const struct invocation *inv,
				  const struct kmem_choice *c, struct diag *diag)
{
	int r = 0;

	if (kmem_wants_slab(c))
		r = record_line_add_events(l, inv, slab_events, ARRAY_SIZE(slab_events), diag);
	if (kmem_wants_page(c) && r >= 0) {
		r = record_line_add_events(l, inv, page_events, ARRAY_SIZE(page_events), diag);
		/* The records of this event do not contain the call site. */
		record_line_add(l, "-g");
	}
	if (r == -ENOENT)
		diag_hint(diag, "They belong to the kernel's memory allocators and need "
				"CONFIG_TRACEPOINTS.");
	return r;
}

static int kmem_record_run(struct invocation *inv)
{
	static const char *const always[] = { "-a", "-R", "-c", "1" };
	struct kmem_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	kmem_record_take_words(inv, &o->choice);
	kmem_record_warn_unused(inv);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(&l, "-v");
	r = kmem_record_add_events(&l, inv, &o->choice, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : record_line_run(&l, inv, "record");
}

const struct command cmd_kmem_record = {
	.name = "kmem record",
	.summary = "record what is allocated and freed, on all CPUs",
	.flags = COMMAND_FORWARDS,
	.run = kmem_record_run,
};
