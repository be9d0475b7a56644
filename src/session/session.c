/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "datafile/input.h"
#include "datafile/reader.h"
#include "session/image-rules.h"
#include "session/internal.h"
#include "session/traces.h"
#include "symbol/bpf-code.h"
#include "symbol/given-names.h"
#include "symbol/symbolizer.h"
#include "wire/bpf-functions.h"
#include "wire/btf.h"

static bool is_of_this_machine(const struct features *f)
{
	struct utsname u;

	return f->hostname && uname(&u) == 0 && !strcmp(u.nodename, f->hostname);
}

/* File systems round times down to the last tick. */
#define FILE_TIME_STEP_NS 20000000

/*
 * Returns when the recording of a file began, on the wall clock: its last change minus the time
 * that its samples span. This is the latest possible time. 0: not known.
 */
static uint64_t began_ns(const struct datafile *file)
{
	const struct features *f = datafile_features(file);
	uint64_t finished_ns = datafile_facts(file)->mtime_ns;
	uint64_t length_ns = f->sample_time.last - f->sample_time.first;

	return length_ns < finished_ns ? finished_ns - length_ns + FILE_TIME_STEP_NS : 0;
}

/*
 * Finds the kernel's code and symbols, which a directory may have beside the data: record --kcore.
 */
static void find_kcore(struct session *s, const char *path)
{
	_cleanup_(freep) char *dir = xasprintf("%s/kcore_dir", path);
	_cleanup_(freep) char *list = xasprintf("%s/kallsyms", dir);

	if (s->with_symbols && access(list, R_OK) == 0)
		symbolizer_take_kcore(s->machine.images.symbolizer, dir);
}

/* Passes on the data about images from the header. */
static void learn_images(struct session *s)
{
	const struct features *f = session_features(s);

	if (f->os_release)
		symbolizer_kernel_release(s->machine.images.symbolizer, f->os_release);
	bpf_images_learn(f, s->machine.images.symbolizer);
	if (is_of_this_machine(f)) {
		symbolizer_recorded_here(s->machine.images.symbolizer, NULL);
		symbolizer_recorded_since(s->machine.images.symbolizer, began_ns(s->file));
	}
	for (size_t i = 0; i < f->build_ids.n; i++) {
		const struct build_id_entry *e = &f->build_ids.items[i];

		images_learn_build_id(&s->machine.images, e->filename, e->misc, &e->build_id,
				      &e->file);
	}
}

/*
 * True if old state can be forgotten. Without times nothing is known to be past, and each of
 * several parts begins at the beginning.
 */
static bool can_forget(const struct session *s)
{
	for (size_t i = 0; i < s->events.n; i++)
		if (s->events.items[i]->time_offset < 0 || !s->events.items[i]->attr.sample_id_all)
			return false;
	return s->events.n && datafile_part_count(s->file) == 1;
}

struct session *session_of_file(const struct session_options *o, struct datafile *file,
				struct given_names *names)
{
	struct session *s = xcalloc(1, sizeof(*s));

	datafile_limit(file, o->first_bytes);
	s->file = file;
	s->swap = datafile_swapped(file);
	s->in_file_order = o->in_file_order;
	s->guest_code = o->guest_code;
	s->keeps_cookies = o->keeps_cookies;
	s->with_symbols = o->symbolizer;
	s->progress = o->progress;
	s->stop = o->stop;
	datafile_stop_when(s->file, o->stop);
	s->batch = xmalloc(BATCH_MAX * sizeof(s->batch[0]));
	machine_init(&s->machine, o->symbolizer);
	s->is_summed = names != NULL;
	if (names)
		symbolizer_take_names(s->machine.images.symbolizer, names);
	s->image_rules = image_rules_new(1);
	events_add(&s->events, file);
	events_sync(&s->events, datafile_features(file));
	learn_images(s);
	find_kcore(s, o->path);
	if (o->traces) {
		s->traces = traces_new(s, o->traces);
		if (!datafile_is_pipe(file))
			traces_find_info(s->traces);
	}
	if (o->kept)
		symbolizer_recorded_here(s->machine.images.symbolizer, o->kept);
	s->forgets = s->notes_exits = o->forgets && can_forget(s);
	s->in_file_order &= !s->forgets;
	return s;
}

int session_open(const struct session_options *o, struct session **ret, struct diag *diag)
{
	struct datafile *file;
	int r = datafile_open(o->path, o->force, &file, diag);

	if (r >= 0)
		*ret = session_of_file(o, file, NULL);
	return r < 0 ? r : 0;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	free(s->batch);
	order_done(&s->order);
	pieces_done(&s->pieces);
	events_done(&s->events);
	traces_free(s->traces);
	image_rules_free(s->image_rules);
	chain_depths_free(s->chain_depths);
	machine_done(&s->machine);
	datafile_free(s->file);
	free(s);
}

struct datafile *session_datafile(const struct session *s)
{
	return s->file;
}

const char *session_path(const struct session *s)
{
	return s->file ? datafile_path(s->file) : "this machine";
}

const struct features *session_features(const struct session *s)
{
	static const struct features none;

	if (s->file)
		return datafile_features(s->file);
	return s->features ? s->features : &none;
}

const struct chain_depths *session_chain_depths(const struct session *s)
{
	return s->takes_chains ? s->chain_depths : NULL;
}

bool session_is_of_this_machine(const struct session *s)
{
	return is_of_this_machine(session_features(s));
}

bool session_is_foreign(const struct session *s)
{
	return s->is_summed;
}

bool session_is_stream(const struct session *s)
{
	return s->file && datafile_is_pipe(s->file);
}

bool session_is_swapped(const struct session *s)
{
	return s->swap;
}

bool session_is_cut(const struct session *s)
{
	return s->file && datafile_is_cut(s->file);
}

static bool has_trace_note(const struct session *s)
{
	return s->traces && s->traces->note;
}

const char *session_undecoded(const struct session *s)
{
	return s->traces ? s->traces->note : NULL;
}

uint32_t session_trace_info(const struct session *s, struct words *ret)
{
	if (!s->traces || !s->traces->has_info)
		return AUXTRACE_NONE;
	*ret = s->traces->info;
	return s->traces->type;
}

const struct aux_write *session_trace_writes(const struct session *s, size_t *ret_n)
{
	*ret_n = s->traces ? s->traces->writes.n : 0;
	return s->traces ? s->traces->writes.items : NULL;
}

bool session_trace_hw_id(const struct session *s, uint32_t cpu, uint64_t *ret)
{
	return s->traces && traces_hw_id(s->traces, cpu, ret);
}

const char *session_trace_remark(const struct session *s)
{
	const struct aux_decoder *d = s->traces ? s->traces->decoder : NULL;

	return d && d->class->remark ? d->class->remark(d) : NULL;
}

size_t session_damage_count(const struct session *s)
{
	return (s->file ? datafile_note_count(s->file) : 0) + has_trace_note(s);
}

const char *session_damage(const struct session *s, size_t i)
{
	return i < datafile_note_count(s->file) ? datafile_note(s->file, i) : s->traces->note;
}

size_t session_event_count(const struct session *s)
{
	return s->events.n;
}

const struct session_event *session_event(const struct session *s, size_t i)
{
	return s->events.items[i];
}

void session_name_event(struct session *s, size_t i, const char *name)
{
	free(s->events.items[i]->name);
	s->events.items[i]->name = xstrdup(name);
}

bool session_has_groups(const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->n_members > 1)
			return true;
	return false;
}

const struct session_event *session_event_by_id(const struct session *s, uint64_t id)
{
	return events_find(&s->events, id);
}

const struct tracing_data *session_tracing_data(const struct session *s)
{
	return s->events.has_tracing ? &s->events.tracing : NULL;
}

const struct session_counts *session_counts(const struct session *s)
{
	return &s->counts;
}

const struct aux_facts *session_trace_facts(const struct delivered *d)
{
	return d->raw.header.type == PERF_RECORD_SAMPLE ? (const void *)d->raw.payload : NULL;
}

static inline void settle_sample(const struct delivered *d, struct sample *s)
{
	const struct attr *attr = &d->event->attr;
	const struct aux_facts *facts = (const void *)d->raw.payload; /* session_trace_facts() */

	if (facts) {
		s->phys_addr = facts->phys_addr;
		s->simd = facts->simd;
	}
	if (!(attr->sample_type & PERF_SAMPLE_TID))
		s->pid = s->tid = SAMPLE_NOBODY;
	if (!(attr->sample_type & PERF_SAMPLE_PERIOD))
		s->period = attr->sample_period;
}

int session_decode_sample(const struct session *s, const struct delivered *d, struct sample *ret)
{
	const struct attr *attr = &d->event->attr;
	int r = sample_decode(d->raw.bytes, d->raw.header.size, s->swap, attr, ret);

	if (r >= 0)
		settle_sample(d, ret);
	return r;
}

int session_decode_sample_again(const struct session *s, const struct delivered *d,
				struct sample *ret)
{
	const struct attr *attr = &d->event->attr;
	int r = sample_decode_again(d->raw.bytes, d->raw.header.size, s->swap, attr, ret);

	if (r >= 0)
		settle_sample(d, ret);
	return r;
}

int session_decode_record(const struct session *s, const struct delivered *d, struct record *ret)
{
	return record_decode(d->raw.bytes, d->raw.header.size, s->swap,
			     d->event ? &d->event->attr : NULL, ret);
}

static void count_malformed(struct session_counts *c, const struct raw_record *raw)
{
	uint32_t type = raw->header.type;

	c->malformed++;
	if (type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2)
		return;
	if (!c->malformed_maps++) {
		c->malformed_map = raw->header;
		c->malformed_map_offset = raw->offset;
	}
}

void session_apply(struct session *s, const struct delivered *d)
{
	const struct attr *attr = d->event ? &d->event->attr : NULL;
	struct record r;

	if (attr)
		s->machine.is_monotonic = attr->use_clockid && attr->clockid == CLOCK_MONOTONIC;
	if (session_decode_record(s, d, &r) < 0) {
		count_malformed(&s->counts, &d->raw);
		return;
	}
	sideband_apply(&s->machine, &r, d->time);
	if (s->traces && traces_matter(d->raw.header.type))
		traces_take(s->traces, &r, d->time);
}

struct session_row_list {
	struct line_row *items;
	size_t n, room;
};

/* A program, and how many of its lines have been read: they are in the order of its functions. */
struct learning {
	const struct bpf_info *info;
	struct btf types;
	const struct arch *arch;
	size_t line;
};

/* Finds the lines of the function [@start, @end). */
static void bpf_images_find_rows(struct learning *l, uint64_t start, uint64_t end,
				 struct session_row_list *ret)
{
	struct bpf_line line;

	for (; bpf_line_get(l->info, &l->types, l->line, &line); l->line++) {
		if (line.addr < start || line.addr >= end)
			return;
		if (!ret->n || line.addr >= ret->items[ret->n - 1].addr)
			*ARRAY_ADD(ret) = (struct line_row){ line.addr, line.file, line.number,
							     true, line.text };
	}
}

static void learn_function(struct learning *l, size_t i, struct symbolizer *s)
{
	struct session_row_list rows = { 0 };
	struct bpf_code code = { .arch = l->arch };
	struct bpf_function f;

	if (!bpf_function_get(l->info, &l->types, i, &f) ||
	    !bpf_function_code(l->info, i, &code.bytes))
		return;
	bpf_images_find_rows(l, f.addr, f.addr + f.size, &rows);
	code.name = f.name;
	code.addr = f.addr;
	code.n = f.size;
	code.rows = rows.items;
	code.n_rows = rows.n;
	symbolizer_add_bpf_code(s, &code);
	free(rows.items);
}

void bpf_images_learn(const struct features *f, struct symbolizer *s)
{
	const struct arch *arch = f->arch ? arch_find(f->arch) : NULL;

	for (size_t i = 0; i < f->bpf_progs.n; i++) {
		const struct bpf_info info = features_bpf_info(&f->bpf_progs.items[i]);
		struct learning l = { &info, features_bpf_types(f, &info), arch, 0 };
		size_t n = bpf_function_count(&info);

		for (size_t j = 0; j < n; j++)
			learn_function(&l, j, s);
	}
}
