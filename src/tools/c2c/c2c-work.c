/* SPDX-License-Identifier: MIT */
#include "tools/c2c/c2c-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "datafile/features.h"
#include "hwtrace/decoder.h"
#include "profile/collector.h"
#include "profile/profile.h"
#include "profile/shared-values.h"
#include "profile/source-text.h"
#include "session/consumer.h"
#include "session/lbr-stitch.h"
#include "session/machine.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/source.h"
#include "symbol/symbol-request.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

#define LINE_BYTES    64
#define CPUMODE(misc) ((uint8_t)((misc)&7))

struct c2c_reader {
	const struct c2c_request *rq;
	struct c2c *c;
	const struct session *session;
};

/* Reads the nodes. Lists of CPUs come from the file; a malformed list gives its node no CPUs. */
static void read_nodes(struct c2c *c, const struct features *f)
{
	c->n_nodes = f->numa_nodes.n;
	for (size_t i = 0; i < f->numa_nodes.n; i++) {
		const struct numa_node *n = &f->numa_nodes.items[i];
		_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };

		if (!n->cpus || cpu_list_parse(n->cpus, &cpus) < 0)
			continue;
		for (size_t j = 0; j < cpus.n; j++)
			if (cpus.items[j] < c->n_cpus)
				c->node_of_cpu[cpus.items[j]] = (int32_t)i;
	}
}

static void c2c_read_cpus(struct c2c *c, const struct features *f)
{
	c->n_cpus = f->cpus_available < CPU_MAX ? f->cpus_available : CPU_MAX;
	c->node_of_cpu = xcalloc(c->n_cpus + 1, sizeof(*c->node_of_cpu));
	for (size_t i = 0; i < c->n_cpus; i++)
		c->node_of_cpu[i] = -1;
	read_nodes(c, f);
}

static int node_of_memory(void *arg, uint64_t addr)
{
	const struct features *f = arg;
	uint64_t block;

	if (!f->mem_topology.block_size)
		return -1;
	block = addr / f->mem_topology.block_size;
	for (size_t i = 0; i < f->mem_topology.nodes.n; i++) {
		const struct memory_node *n = &f->mem_topology.nodes.items[i];

		if (block < n->n_bits && n->words[block / 64] >> block % 64 & 1)
			return (int)n->node;
	}
	return -1;
}

static bool is_arm(const struct features *f)
{
	return f->arch && (!strcmp(f->arch, "aarch64") || !strcmp(f->arch, "arm64"));
}

static int c2c_begin(void *arg, struct consumer *consumer)
{
	struct c2c_reader *r = arg;
	const struct features *f = session_features(consumer->session);
	struct c2c_lines_options o = {
		.keys = r->rq->keys,
		.display = r->rq->display_is_default && is_arm(f) ? C2C_PEERS : r->rq->display,
		.line_bytes = r->rq->double_lines ? 2 * LINE_BYTES : LINE_BYTES,
		.show_all = r->rq->show_all,
		.node_of_memory = node_of_memory,
		.arg = (void *)f,
	};

	r->session = consumer->session;
	c2c_read_cpus(r->c, f);
	o.node_of_cpu = r->c->node_of_cpu;
	o.n_cpus = r->c->n_cpus;
	c2c_lines_init(&r->c->lines, &o);
	c2c_trees_begin(&r->c->trees, &r->rq->trees, consumer->session);
	return 0;
}

static const struct map *map_at(const struct c2c_reader *r, const struct session_sample *s,
				uint64_t addr)
{
	struct location at;

	return machine_locate(r->session, s->sample->pid, address_mode_of(s->sample->misc), addr,
			      s->time, &at)
		       ? at.map
		       : NULL;
}

static void c2c_take_one(struct c2c_reader *r, const struct session_sample *s)
{
	const struct sample *sample = s->sample;
	const struct aux_facts *facts = session_trace_facts(s->record);
	const struct c2c_access_record a = {
		.ip = sample->ip,
		.addr = sample->addr,
		.phys_addr = facts ? facts->phys_addr : sample->phys_addr,
		.time = s->time,
		.data_src = sample->data_src,
		.weight = sample->weight,
		.period = s->period,
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.cpumode = CPUMODE(sample->misc),
		.code = map_at(r, s, sample->ip),
		.data = map_at(r, s, sample->addr),
	};

	c2c_trees_take(&r->c->trees, s, c2c_lines_take(&r->c->lines, &a)->number);
}

static int c2c_take(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		c2c_take_one(arg, &b->items[i]);
	return 0;
}

static const char *c2c_keep(struct c2c_reader *r, const struct text *t)
{
	return arena_strndup(&r->c->lines.arena, t->length ? t->chars : "", t->length);
}

/* Returns the source line in the form of report's column Source:Line. */
static const char *c2c_source_of(struct c2c_reader *r, const struct location *at)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct image *im = at->map ? at->map->image : NULL;
	struct source_line line;

	if (!im)
		return SOURCE_UNKNOWN;
	if (image_source_line(im, at->image_addr, &line))
		source_line_text(&line, false, &t);
	else if (source_is_unknown(im, at->sym))
		return SOURCE_UNKNOWN;
	else if (at->sym)
		text_addf(&t, "%s+%lu", at->sym->name, at->image_addr - at->sym->start);
	else
		text_addf(&t, "%s[%lx]", image_short_name(im), at->image_addr);
	return c2c_keep(r, &t);
}

static void name_entry(struct c2c_reader *r, struct c2c_entry *e)
{
	struct location at = { 0 };

	machine_resolve(r->session, e->pid, address_mode_of(e->cpumode), e->iaddr, e->time, &at);
	e->names = (struct c2c_names){
		.function = at.sym ? at.sym->name : NULL,
		.addr = at.map ? at.image_addr : e->iaddr,
		.object = at.map && at.map->image ? image_short_name(at.map->image) : "[unknown]",
		.source = r->rq->no_source ? "" : c2c_source_of(r, &at),
		.comm = machine_comm(r->session, e->pid, e->tid, e->time),
	};
}

static void c2c_name_line(struct c2c_reader *r, struct c2c_line *line)
{
	struct location at = { 0 };

	machine_resolve(r->session, line->pid, address_mode_of(line->cpumode), line->first_addr,
			line->time, &at);
	if (!at.sym)
		return;
	line->symbol = at.sym->name;
	line->symbol_offset = (int64_t)(at.image_addr - at.sym->start) -
			      (int64_t)(line->first_addr - line->addr);
}

static void c2c_name_all(struct c2c_reader *r)
{
	struct c2c_lines *l = &r->c->lines;

	for (size_t i = 0; i < l->n; i++) {
		c2c_name_line(r, l->items[i]);
		for (struct c2c_entry *e = l->items[i]->entries; e; e = e->next)
			name_entry(r, e);
	}
}

static void name_events(struct c2c *c, const struct session *s)
{
	c->n_events = session_event_count(s);
	c->events = xcalloc(c->n_events + 1, sizeof(*c->events));
	for (size_t i = 0; i < c->n_events; i++)
		c->events[i] = session_event(s, i)->name;
}

int c2c_read(const struct c2c_request *rq, struct c2c *ret, struct notes *notes, struct diag *diag)
{
	struct c2c_reader r = { .rq = rq, .c = ret };
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .undivided = true,
				    .begin = c2c_begin,
				    .samples = c2c_take,
				    .arg = &r };
	struct recorded_request recorded = rq->recorded;
	int status;

	/*
	 * Only accesses are decoded from hardware traces: events of caches and the like would count
	 * them again.
	 */
	recorded.traces = true;
	recorded.filter.itrace = (struct itrace_request){ .typed = true, .words.memory = true };
	status = recorded_open(&recorded, &ret->recorded, diag);
	if (status >= 0)
		status = recorded_feed(&ret->recorded, &c, notes, diag);
	if (status < 0)
		return status;
	c2c_lines_settle(&ret->lines);
	c2c_trees_settle(&ret->trees, ret->lines.n_entries);
	name_events(ret, r.session);
	c2c_name_all(&r);
	return 0;
}

void c2c_done(struct c2c *c)
{
	c2c_trees_done(&c->trees);
	c2c_lines_done(&c->lines);
	free(c->events);
	free(c->node_of_cpu);
	recorded_done(&c->recorded);
}

static uint64_t c2c_trees_entry_of(const struct key *k, struct key_env *env,
				   const struct key_sample *s)
{
	(void)env, (void)s;
	return *(const uint64_t *)k->arg;
}

static const struct key_type by_entry = {
	.name = "entry",
	.title = "Entry",
	.scope = KEY_SAMPLE,
	.parts = { { .name = "entry", .type = VALUE_UNSIGNED } },
	.of_sample = c2c_trees_entry_of,
};

static bool c2c_trees_has_stacks(const struct session *s, bool history)
{
	uint64_t types = PERF_SAMPLE_CALLCHAIN | (history ? PERF_SAMPLE_BRANCH_STACK : 0);

	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.sample_type & types)
			return true;
	return false;
}

void c2c_trees_begin(struct c2c_trees *t, const struct c2c_trees_request *rq,
		     const struct session *s)
{
	*t = (struct c2c_trees){ .same_frames = rq->same_frames };
	if (!rq->wanted || !c2c_trees_has_stacks(s, rq->history))
		return;
	t->env = (struct key_env){ .session = s,
				   .frames = frames_new(rq->same_frames != FRAMES_BY_FUNCTION ||
							rq->history),
				   .values = shared_values_new() };
	t->key = (struct key){ .type = &by_entry, .parts = by_entry.parts, .arg = &t->entry };
	t->options = (struct report_options){
		.env = &t->env,
		.keys = &t->key,
		.n_keys = 1,
		.unsorted = true,
		.rq = { .absolute = true, .with_trees = true, .callers_first = rq->callers_first }
	};
	t->collector = collector_new(&(struct collector_options){
		.env = &t->env,
		.keys = &t->key,
		.n_keys = 1,
		.with_stacks = true,
		.inlines = reading_inlines(rq->symbols),
		.callers_first = rq->callers_first,
		.history = rq->history,
		.lbr_registers = rq->symbols->stitch_lbr ? lbr_registers(session_features(s)) : 0,
		.max_stack = PROFILE_MAX_STACK,
		.joined = true,
		.n_workers = 1,
	});
}

void c2c_trees_take(struct c2c_trees *t, const struct session_sample *s, uint32_t entry)
{
	if (!t->collector)
		return;
	t->entry = entry;
	collector_take(t->collector, &(struct sample_batch){ .items = s, .n = 1 });
}

void c2c_trees_settle(struct c2c_trees *t, size_t n_entries)
{
	if (!t->collector)
		return;
	collector_settle(t->collector);
	frame_order_init(&t->order, t->env.frames, t->env.session, t->same_frames);
	t->rows = report_rows_new(&t->options, session_event(t->env.session, 0),
				  collector_tally(t->collector, 0));
	t->n_entries = n_entries;
	t->by_entry = xcalloc(n_entries + 1, sizeof(*t->by_entry));
	for (size_t i = 0; i < t->rows->n; i++)
		t->by_entry[t->rows->rows[i].values[0]] = &t->rows->rows[i];
}

const struct report_row *c2c_trees_row(const struct c2c_trees *t, uint32_t number)
{
	return number < t->n_entries ? t->by_entry[number] : NULL;
}

void c2c_trees_done(struct c2c_trees *t)
{
	if (!t->collector)
		return;
	report_rows_free(t->rows);
	frame_order_done(&t->order);
	collector_free(t->collector);
	frames_free(t->env.frames);
	shared_values_free(t->env.values);
	free(t->by_entry);
}
