/* SPDX-License-Identifier: MIT */
/* The fields that a table of samples may have, and how a column of each is filled. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "profile/sample-table-internal.h"
#include "tracepoint/format.h"
#include "tracepoint/plan-type.h"
#include "wire/sample.h"

#define GET(field)                                                                                 \
	static uint64_t get_##field(const struct session_sample *s)                                \
	{                                                                                          \
		return s->sample->field;                                                           \
	}
GET(cpu)
GET(pid)
GET(tid)
GET(ip)
GET(addr)
GET(id)
GET(stream_id)
GET(weight)
GET(ins_latency)
GET(p_stage_cyc)
GET(data_src)
GET(transaction)
GET(phys_addr)
GET(data_page_size)
GET(code_page_size)
GET(cgroup)
GET(misc)

static uint64_t get_time(const struct session_sample *s)
{
	return s->time;
}

static uint64_t get_samples(const struct session_sample *s)
{
	return s->samples;
}

static uint64_t get_period(const struct session_sample *s)
{
	return s->period;
}

#define NUMBER(field, column, bits)                                                                \
	{                                                                                          \
		.name = #field, .type = SAMPLE_COLUMN_##column, .source = SOURCE_NUMBER,           \
		.get = get_##field, .recorded = bits                                               \
	}
#define WEIGHTS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)

static const struct sample_field sample_fields[] = {
	{ .name = "time",
	  .type = SAMPLE_COLUMN_U64,
	  .source = SOURCE_NUMBER,
	  .get = get_time,
	  .recorded = PERF_SAMPLE_TIME,
	  .none = SAMPLE_TIME_SUM },
	NUMBER(cpu, I32, PERF_SAMPLE_CPU),
	NUMBER(pid, I32, PERF_SAMPLE_TID),
	NUMBER(tid, I32, PERF_SAMPLE_TID),
	{ .name = "comm",
	  .type = SAMPLE_COLUMN_NAME,
	  .source = SOURCE_COMM,
	  .recorded = PERF_SAMPLE_TID,
	  .wants = FIELD_WANTS_TASK },
	{ .name = "event", .type = SAMPLE_COLUMN_NAME, .source = SOURCE_EVENT },
	NUMBER(period, U64, 0),
	NUMBER(ip, U64, PERF_SAMPLE_IP),
	{ .name = "symbol",
	  .type = SAMPLE_COLUMN_NAME,
	  .source = SOURCE_SYMBOL,
	  .recorded = PERF_SAMPLE_IP,
	  .wants = FIELD_WANTS_PLACE },
	{ .name = "symoff",
	  .type = SAMPLE_COLUMN_U64,
	  .source = SOURCE_OFFSET,
	  .recorded = PERF_SAMPLE_IP,
	  .wants = FIELD_WANTS_PLACE | FIELD_WANTS_OFFSET },
	{ .name = "dso",
	  .type = SAMPLE_COLUMN_NAME,
	  .source = SOURCE_IMAGE,
	  .recorded = PERF_SAMPLE_IP,
	  .wants = FIELD_WANTS_PLACE },
	{ .name = "callchain",
	  .type = SAMPLE_COLUMN_LIST_U64,
	  .source = SOURCE_CHAIN,
	  .wants = FIELD_WANTS_CHAIN },
	{ .name = "callchain_symbol",
	  .type = SAMPLE_COLUMN_LIST_NAMES,
	  .source = SOURCE_CHAIN_SYMBOL,
	  .wants = FIELD_WANTS_CHAIN | FIELD_WANTS_CHAIN_PLACES },
	{ .name = "callchain_dso",
	  .type = SAMPLE_COLUMN_LIST_NAMES,
	  .source = SOURCE_CHAIN_IMAGE,
	  .wants = FIELD_WANTS_CHAIN | FIELD_WANTS_CHAIN_PLACES },
	{ .name = "brstack_from", .type = SAMPLE_COLUMN_LIST_U64, .source = SOURCE_BRANCH_FROM },
	{ .name = "brstack_to", .type = SAMPLE_COLUMN_LIST_U64, .source = SOURCE_BRANCH_TO },
	NUMBER(addr, U64, PERF_SAMPLE_ADDR),
	NUMBER(id, U64, PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER),
	NUMBER(stream_id, U64, PERF_SAMPLE_STREAM_ID),
	NUMBER(weight, U64, WEIGHTS),
	NUMBER(ins_latency, I32, PERF_SAMPLE_WEIGHT_STRUCT),
	NUMBER(p_stage_cyc, I32, PERF_SAMPLE_WEIGHT_STRUCT),
	NUMBER(data_src, U64, PERF_SAMPLE_DATA_SRC),
	NUMBER(transaction, U64, PERF_SAMPLE_TRANSACTION),
	NUMBER(phys_addr, U64, PERF_SAMPLE_PHYS_ADDR),
	NUMBER(data_page_size, U64, PERF_SAMPLE_DATA_PAGE_SIZE),
	NUMBER(code_page_size, U64, PERF_SAMPLE_CODE_PAGE_SIZE),
	NUMBER(cgroup, U64, PERF_SAMPLE_CGROUP),
	NUMBER(misc, I32, 0),
};

static const struct sample_field more_fields[] = {
	{ .name = "mode", .type = SAMPLE_COLUMN_NAME, .source = SOURCE_MODE },
	{ .name = "stack_id", .type = SAMPLE_COLUMN_I64, .source = SOURCE_STACK },
	NUMBER(samples, U64, 0),
	{ .name = "host",
	  .type = SAMPLE_COLUMN_NAME,
	  .source = SOURCE_HOST,
	  .recorded = PERF_SAMPLE_CGROUP },
	{ .name = "service",
	  .type = SAMPLE_COLUMN_NAME,
	  .source = SOURCE_SERVICE,
	  .recorded = PERF_SAMPLE_CGROUP },
};

const char *sample_table_field(size_t i)
{
	return i < ARRAY_SIZE(sample_fields) ? sample_fields[i].name : NULL;
}

const struct sample_field *sample_field_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(sample_fields); i++)
		if (!strcmp(sample_fields[i].name, name))
			return &sample_fields[i];
	return NULL;
}

const struct sample_field *sample_field_find_more(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(more_fields); i++)
		if (!strcmp(more_fields[i].name, name))
			return &more_fields[i];
	return NULL;
}

size_t column_part_width(const struct sample_field *f)
{
	switch (f->source) {
	case SOURCE_OFFSET: /* kept as the frame until the end */
	case SOURCE_STACK:  /* the stack's number, kept as the worker's node */
		return sizeof(uint32_t);
	default:
		return sample_column_width(f->type);
	}
}

static void *reserve_values(struct column_part *p, size_t n, size_t width)
{
	p->values = array_reserve(p->values, &p->room, n, width);
	return p->values;
}

static uint64_t *reserve_items(struct column_part *p, size_t more, size_t width)
{
	p->items = array_reserve(p->items, &p->items_room, p->n_items + more, width);
	return p->items;
}

static void fill_numbers(const struct sample_field *f, struct table_worker *w,
			 struct column_part *p, size_t n)
{
	const struct kept_sample *kept = w->kept;

	if (f->type == SAMPLE_COLUMN_I32) {
		int32_t *to = (int32_t *)reserve_values(p, w->n + n, sizeof(*to)) + w->n;

		for (size_t i = 0; i < n; i++)
			to[i] = (int32_t)f->get(kept[i].s);
	} else {
		uint64_t *to = (uint64_t *)reserve_values(p, w->n + n, sizeof(*to)) + w->n;

		for (size_t i = 0; i < n; i++)
			to[i] = f->get(kept[i].s);
	}
}

/* Returns the number of @text. The text is borrowed and must outlive the table. */
static int32_t local_code(struct local_names *l, const char *text)
{
	uintptr_t code;

	if (text == l->last)
		return l->last_code;
	code = (uintptr_t)u64_map_find(&l->codes, (uintptr_t)text);
	if (!code) {
		l->list.items = array_reserve(l->list.items, &l->list.room, l->list.n + 1,
					      sizeof(*l->list.items));
		l->list.items[l->list.n++] = text;
		code = l->list.n;
		u64_map_put(&l->codes, (uintptr_t)text, (void *)code);
	}
	l->last = text;
	l->last_code = (int32_t)code - 1;
	return l->last_code;
}

static const char *mode_name(uint16_t misc)
{
	switch (address_mode_of(misc)) {
	case ADDRESS_KERNEL:
		return "kernel";
	case ADDRESS_USER:
		return "user";
	case ADDRESS_HYPERVISOR:
		return "hypervisor";
	case ADDRESS_GUEST_KERNEL:
		return "guest kernel";
	case ADDRESS_GUEST_USER:
		return "guest user";
	default:
		return "unknown";
	}
}

/* Fills in the numbers of texts of the session, events and frames, all of which stay valid. */
static void fill_codes(const struct sample_field *f, struct table_worker *w, struct column_part *p,
		       size_t n)
{
	int32_t *to = (int32_t *)reserve_values(p, w->n + n, sizeof(*to)) + w->n;

	for (size_t i = 0; i < n; i++) {
		const struct kept_sample *k = &w->kept[i];

		if (f->source == SOURCE_COMM)
			to[i] = local_code(&p->names, k->comm);
		else if (f->source == SOURCE_EVENT)
			to[i] = local_code(&p->names, k->s->event->name);
		else if (f->source == SOURCE_MODE)
			to[i] = local_code(&p->names, mode_name(k->s->sample->misc));
		else if (f->source == SOURCE_STACK)
			to[i] = (int32_t)k->node;
		else
			to[i] = (int32_t)k->frame;
	}
}

/* Fills in the host or the service of a store's samples, whose cgroup is "HOST/SERVICE". */
static void fill_whose(const struct sample_table_maker *m, const struct sample_field *f,
		       struct table_worker *w, struct column_part *p, size_t n)
{
	int32_t *to = (int32_t *)reserve_values(p, w->n + n, sizeof(*to)) + w->n;

	for (size_t i = 0; i < n; i++) {
		uint64_t id = w->kept[i].s->sample->cgroup;
		const char *group = id ? machine_cgroup(m->options.session, id) : "";
		size_t length = strcspn(group, "/");

		text_clear(&w->scratch);
		if (f->source == SOURCE_HOST)
			text_add_bytes(&w->scratch, group, length);
		else
			text_add(&w->scratch, group + length + (group[length] == '/'));
		to[i] = local_code(&p->names, intern_text(&p->names.texts, w->scratch.chars));
	}
}

static void fill_chains(const struct sample_field *f, struct table_worker *w, struct column_part *p,
			size_t n)
{
	bool ips = f->source == SOURCE_CHAIN;
	size_t width = ips ? sizeof(uint64_t) : sizeof(uint32_t);
	uint64_t *starts = (uint64_t *)reserve_values(p, w->n + n, sizeof(*starts)) + w->n;
	char *to = (char *)reserve_items(p, w->n_chain, width);
	const char *from = ips ? (const char *)w->chain_ips : (const char *)w->chain_frames;

	for (size_t i = 0; i < n; i++)
		starts[i] = p->n_items + w->kept[i].chain_first;
	if (w->n_chain)
		memcpy(to + p->n_items * width, from, w->n_chain * width);
	p->n_items += w->n_chain;
}

static void fill_branches(const struct sample_field *f, struct table_worker *w,
			  struct column_part *p, size_t n)
{
	uint64_t *starts = (uint64_t *)reserve_values(p, w->n + n, sizeof(*starts)) + w->n;

	for (size_t i = 0; i < n; i++) {
		const struct sample *s = w->kept[i].s->sample;
		size_t count = s->branches.n / 3;
		uint64_t *to = reserve_items(p, count, sizeof(*to));

		starts[i] = p->n_items;
		for (size_t j = 0; j < count; j++) {
			struct branch b = sample_branch(s, j);

			to[p->n_items++] = f->source == SOURCE_BRANCH_FROM ? b.from : b.to;
		}
	}
}

static struct bound_field bind_field(const struct sample_table_maker *m,
				     const struct session_event *e, const char *name)
{
	const struct tracepoint_field *f = e->format ? tracepoint_field_find(e->format, name)
						     : NULL;
	struct bound_field b = { 0 };
	struct integer_type type;

	if (!f)
		return b;
	b.ref = field_ref_of(f, session_is_swapped(m->options.session));
	type = type_of_declaration(f->type, sizeof(uint64_t));
	b.item_bytes = type.bytes ? type.bytes : 1;
	b.items_signed = type.is_signed;
	return b;
}

/* Returns the field of @e, which is looked up at the first sample of that event. */
static const struct bound_field *sample_fields_field_of(struct sample_table_maker *m,
							struct column_part *p, const char *name,
							const struct session_event *e)
{
	if (e->index >= p->n_refs) {
		size_t count = session_event_count(m->options.session);

		p->refs = xrealloc(p->refs, count * sizeof(*p->refs));
		for (size_t i = p->n_refs; i < count; i++)
			p->refs[i] = bind_field(m, session_event(m->options.session, i), name);
		p->n_refs = count;
	}
	return &p->refs[e->index];
}

static int32_t scratch_code(struct table_worker *w, struct column_part *p)
{
	return local_code(&p->names, intern_text(&p->names.texts, w->scratch.chars));
}

static int32_t text_code(struct table_worker *w, struct column_part *p, const struct field_ref *ref,
			 const struct sample *s)
{
	const char *text;
	size_t length = field_ref_text(ref, s->raw, s->raw_size, &text);

	text_clear(&w->scratch);
	text_add_bytes(&w->scratch, text, length);
	return scratch_code(w, p);
}

/* Returns the code of an array's text, such as "[1,2,3]". */
static int32_t array_code(struct table_worker *w, struct column_part *p,
			  const struct bound_field *f, const struct sample *s)
{
	struct raw_span span = field_ref_bytes(&f->ref, s->raw, s->raw_size);

	text_clear(&w->scratch);
	text_add_char(&w->scratch, '[');
	for (uint32_t at = 0; span.size - at >= f->item_bytes; at += f->item_bytes) {
		uint64_t item =
			number_extend(raw_number(span.bytes + at, f->item_bytes, f->ref.swap),
				      f->item_bytes, f->items_signed);

		if (at)
			text_add_char(&w->scratch, ',');
		text_addf(&w->scratch, f->items_signed ? "%" PRId64 : "%" PRIu64, item);
	}
	text_add_char(&w->scratch, ']');
	return scratch_code(w, p);
}

/* Appends the texts of one sample's field. Returns false if it has none. */
static bool sample_fields_take_text(const struct table_column *c, struct table_worker *w,
				    struct column_part *p, const struct bound_field *f,
				    const struct sample *s, int32_t *to)
{
	*to = 0;
	if (c->field.source == SOURCE_TRACEPOINT_ARRAY) {
		*to = array_code(w, p, f, s);
		return true;
	}
	if (f->ref.kind == FIELD_NUMBER)
		return false;
	*to = text_code(w, p, &f->ref, s);
	return true;
}

static void fill_tracepoint(struct sample_table_maker *m, const struct table_column *c,
			    struct table_worker *w, struct column_part *p, size_t n)
{
	bool is_number = c->field.source == SOURCE_TRACEPOINT_NUMBER;
	void *values = reserve_values(p, w->n + n, column_part_width(&c->field));

	for (size_t i = 0; i < n; i++) {
		const struct session_sample *s = w->kept[i].s;
		const struct bound_field *f = sample_fields_field_of(m, p, c->name, s->event);
		bool there = field_ref_is_there(&f->ref) && s->sample->raw_size;
		uint64_t number = 0;
		int32_t code = 0;

		if (is_number) {
			there = there && field_ref_number(&f->ref, s->sample->raw,
							  s->sample->raw_size, &number);
			((uint64_t *)values)[w->n + i] = number;
		} else {
			there = there && sample_fields_take_text(c, w, p, f, s->sample, &code);
			((int32_t *)values)[w->n + i] = code;
		}
		p->valid[w->n + i] = there;
	}
}

static void fill_valid(const struct sample_field *f, struct table_worker *w, struct column_part *p,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		p->valid[w->n + i] = !f->recorded ||
				     w->kept[i].s->event->attr.sample_type & f->recorded;
}

void sample_field_fill(struct sample_table_maker *m, struct table_worker *w, size_t i, size_t n)
{
	const struct table_column *c = &m->columns[i];
	struct column_part *p = &w->parts[i];

	if (c->partial)
		p->valid = array_reserve(p->valid, &p->valid_room, w->n + n, 1);
	switch (c->field.source) {
	case SOURCE_NUMBER:
		fill_numbers(&c->field, w, p, n);
		break;
	case SOURCE_EVENT:
	case SOURCE_COMM:
	case SOURCE_SYMBOL:
	case SOURCE_OFFSET:
	case SOURCE_IMAGE:
	case SOURCE_MODE:
	case SOURCE_STACK:
		fill_codes(&c->field, w, p, n);
		break;
	case SOURCE_HOST:
	case SOURCE_SERVICE:
		fill_whose(m, &c->field, w, p, n);
		break;
	case SOURCE_CHAIN:
	case SOURCE_CHAIN_SYMBOL:
	case SOURCE_CHAIN_IMAGE:
		fill_chains(&c->field, w, p, n);
		break;
	case SOURCE_BRANCH_FROM:
	case SOURCE_BRANCH_TO:
		fill_branches(&c->field, w, p, n);
		break;
	case SOURCE_TRACEPOINT_NUMBER:
	case SOURCE_TRACEPOINT_TEXT:
	case SOURCE_TRACEPOINT_ARRAY:
		fill_tracepoint(m, c, w, p, n);
		return;
	}
	if (c->partial)
		fill_valid(&c->field, w, p, n);
}
