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
#include "profile/source-text.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/source.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

#define LINE_BYTES    64
#define CPUMODE(misc) ((uint8_t)((misc)&7))

struct reader {
	const struct c2c_request *rq;
	struct c2c *c;
	const struct session *session;
};

/* Lists of CPUs come out of the file; what is no list belongs to no node. */
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
	struct reader *r = arg;
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

static const struct map *map_at(const struct reader *r, const struct session_sample *s,
				uint64_t addr)
{
	struct location at;

	return machine_locate(r->session, s->sample->pid, address_mode_of(s->sample->misc), addr,
			      s->time, &at)
		       ? at.map
		       : NULL;
}

static void c2c_take_one(struct reader *r, const struct session_sample *s)
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

static const char *c2c_keep(struct reader *r, const struct text *t)
{
	return arena_strndup(&r->c->lines.arena, t->length ? t->chars : "", t->length);
}

/* As the column Source:Line of report has it. */
static const char *c2c_source_of(struct reader *r, const struct location *at)
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

static void name_entry(struct reader *r, struct c2c_entry *e)
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

static void c2c_name_line(struct reader *r, struct c2c_line *line)
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

static void c2c_name_all(struct reader *r)
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
	struct reader r = { .rq = rq, .c = ret };
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .undivided = true,
				    .begin = c2c_begin,
				    .samples = c2c_take,
				    .arg = &r };
	struct recorded_request recorded = rq->recorded;
	int status;

	/* Of hardware traces, accesses: events of caches and the like would count them again. */
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
