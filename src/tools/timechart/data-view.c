/* SPDX-License-Identifier: MIT */
/*
 * Encodes the lanes of a time chart as columns of LEB128 numbers, in base64:
 * docs/format/timechart.md.
 */
#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "profile/page/pack.h"
#include "tools/timechart/rows-model.h"
#include "tools/timechart/stacks-model.h"
#include "tools/timechart/timechart-model.h"
#include "tools/timechart/timechart-view.h"
#include "view/json.h"
#include "view/picture/base64.h"

/* The subject of a lane. */
enum lane_kind {
	LANE_OF_CPU,
	LANE_OF_IDLE,
	LANE_OF_FREQUENCY,
	LANE_OF_TASK,
	LANE_OF_CALLS,
};

/* The first three bits of a piece's kind are its state; the flags follow. */
#define FLAGS_SHIFT 3
#define KIND_FOLDED 64

enum column {
	COLUMN_LANE_KIND,
	COLUMN_LANE_OF,
	COLUMN_LANE_PIECES,
	COLUMN_LANE_BEGIN,
	COLUMN_PIECE_NS,
	COLUMN_PIECE_KIND,
	COLUMN_PIECE_BY,
	COLUMN_PIECE_CPU,
	COLUMN_PIECE_STACK,
	COLUMN_PIECE_COUNT,
	COLUMN_PIECE_BYTES,
	COLUMN_FOLD_PARTS,
	COLUMN_FOLD_LONGEST,
	COLUMN_FOLD_NS,
	COLUMN_NODE_PARENT,
	COLUMN_NODE_NAME,
	COLUMN_STACK_NODE,
	COLUMN_STACK_HINT,
	N_COLUMNS,
};

static const char *const column_names[N_COLUMNS] = {
	[COLUMN_LANE_KIND] = "lane.kind",       [COLUMN_LANE_OF] = "lane.of",
	[COLUMN_LANE_PIECES] = "lane.pieces",   [COLUMN_LANE_BEGIN] = "lane.begin",
	[COLUMN_PIECE_NS] = "piece.ns",         [COLUMN_PIECE_KIND] = "piece.kind",
	[COLUMN_PIECE_BY] = "piece.by",         [COLUMN_PIECE_CPU] = "piece.cpu",
	[COLUMN_PIECE_STACK] = "piece.stack",   [COLUMN_PIECE_COUNT] = "piece.count",
	[COLUMN_PIECE_BYTES] = "piece.bytes",   [COLUMN_FOLD_PARTS] = "fold.parts",
	[COLUMN_FOLD_LONGEST] = "fold.longest", [COLUMN_FOLD_NS] = "fold.ns",
	[COLUMN_NODE_PARENT] = "node.parent",   [COLUMN_NODE_NAME] = "node.name",
	[COLUMN_STACK_NODE] = "stack.node",     [COLUMN_STACK_HINT] = "stack.hint",
};

struct timechart_data_writing {
	const struct timechart_picture *p;
	struct bytes columns[N_COLUMNS];
	size_t n[N_COLUMNS];
};

static void timechart_data_put(struct timechart_data_writing *w, enum column c, uint64_t value)
{
	bytes_uleb128(&w->columns[c], value);
	w->n[c]++;
}

/* Returns 0 for LANE_NONE, else 1 + @value. */
static uint64_t or_none(uint32_t value)
{
	return value == LANE_NONE ? 0 : (uint64_t)value + 1;
}

static void put_fold(struct timechart_data_writing *w, const struct lane_fold *f)
{
	timechart_data_put(w, COLUMN_FOLD_PARTS, f->n);
	timechart_data_put(w, COLUMN_FOLD_LONGEST, f->longest_ns);
	for (size_t s = 0; s < LANE_STATES; s++)
		timechart_data_put(w, COLUMN_FOLD_NS, f->ns[s]);
}

static void timechart_data_put_piece(struct timechart_data_writing *w, const struct lane_piece *p,
				     uint64_t end)
{
	const struct lanes *lanes = &w->p->chart->lanes;
	const struct lane_fold *f = p->fold == LANE_NONE ? NULL : &lanes->folds.items[p->fold];

	timechart_data_put(w, COLUMN_PIECE_NS, end - p->start);
	timechart_data_put(w, COLUMN_PIECE_KIND,
			   p->mark.state | (unsigned)p->mark.flags << FLAGS_SHIFT |
				   (f ? KIND_FOLDED : 0));
	timechart_data_put(w, COLUMN_PIECE_BY, or_none(p->mark.by));
	timechart_data_put(w, COLUMN_PIECE_CPU, p->mark.cpu);
	timechart_data_put(w, COLUMN_PIECE_STACK, f || !w->p->stacks ? 0 : or_none(p->mark.stack));
	timechart_data_put(w, COLUMN_PIECE_COUNT, p->mark.count);
	timechart_data_put(w, COLUMN_PIECE_BYTES, f ? f->bytes : p->mark.bytes);
	if (f)
		put_fold(w, f);
}

static void put_lane(struct timechart_data_writing *w, enum lane_kind kind, size_t of,
		     uint32_t number)
{
	const struct chart *c = w->p->chart;
	const struct lane *lane;

	if (number == LANE_NONE || !c->lanes.items[number].n)
		return;
	lane = &c->lanes.items[number];
	timechart_data_put(w, COLUMN_LANE_KIND, kind);
	timechart_data_put(w, COLUMN_LANE_OF, of);
	timechart_data_put(w, COLUMN_LANE_PIECES, lane->n);
	timechart_data_put(w, COLUMN_LANE_BEGIN, lane->begin - c->first);
	for (size_t i = 0; i < lane->n; i++)
		timechart_data_put_piece(w, &lane->items[i], lane_piece_end(lane, i));
}

static void put_lanes(struct timechart_data_writing *w)
{
	const struct timechart_picture *p = w->p;

	for (size_t i = 0; i < p->chart->cpus.n; i++) {
		const struct chart_cpu *cpu = &p->chart->cpus.items[p->cpus[i]];

		put_lane(w, LANE_OF_CPU, i, cpu->lane);
		put_lane(w, LANE_OF_IDLE, i, cpu->idle_lane);
		put_lane(w, LANE_OF_FREQUENCY, i, cpu->frequency_lane);
	}
	for (size_t i = 0; p->with_tasks && i < p->rows->n; i++) {
		const struct chart_task *t = &p->chart->tasks.items[p->rows->tasks[i]];

		put_lane(w, LANE_OF_TASK, p->rows->tasks[i], t->lane);
		put_lane(w, LANE_OF_CALLS, p->rows->tasks[i], t->io_lane);
	}
}

static void put_stacks(struct timechart_data_writing *w)
{
	const struct chart_stacks *s = w->p->stacks;

	for (size_t i = 0; s && i < s->nodes.n; i++) {
		timechart_data_put(w, COLUMN_NODE_PARENT, or_none(s->nodes.items[i].parent));
		timechart_data_put(w, COLUMN_NODE_NAME, s->nodes.items[i].name);
	}
	for (size_t i = 0; s && i < s->placed.n; i++) {
		timechart_data_put(w, COLUMN_STACK_NODE, or_none(s->node_of[i]));
		timechart_data_put(w, COLUMN_STACK_HINT, (uint64_t)s->hints[i]);
	}
}

/* --- the object ---------------------------------------------------------------------------- */

static size_t timechart_data_comm_length(const char comm[CHART_COMM_MAX])
{
	size_t n = 0;

	while (n < CHART_COMM_MAX && comm[n])
		n++;
	return n;
}

/* Adds [tid, pid or null, name, the previous name, number of wake-ups, 1 if it is marked]. */
static void timechart_data_add_task(struct json *j, const struct timechart_picture *p,
				    const struct chart_task *t)
{
	json_array(j);
	json_unsigned(j, t->tid);
	if (t->pid == LANE_NONE)
		json_null(j);
	else
		json_unsigned(j, t->pid);
	json_string_bytes(j, t->comm, timechart_data_comm_length(t->comm));
	json_string_bytes(j, t->before, timechart_data_comm_length(t->before));
	json_unsigned(j, t->wakeups);
	json_unsigned(j, p->highlight && chart_task_is(t, p->highlight));
	json_end(j, ']');
}

static void timechart_data_add_tasks(struct json *j, const struct timechart_picture *p)
{
	json_key(j, "tasks");
	json_array(j);
	for (size_t i = 0; i < p->chart->tasks.n; i++)
		timechart_data_add_task(j, p, &p->chart->tasks.items[i]);
	json_end(j, ']');
	json_key(j, "rows");
	json_array(j);
	for (size_t i = 0; p->with_tasks && i < p->rows->n; i++)
		json_unsigned(j, p->rows->tasks[i]);
	json_end(j, ']');
	json_member_unsigned(j, "drawn", p->rows->n_drawn);
	json_key(j, "cpus");
	json_array(j);
	for (size_t i = 0; i < p->chart->cpus.n; i++)
		json_unsigned(j, p->chart->cpus.items[p->cpus[i]].number);
	json_end(j, ']');
}

static void timechart_data_add_names(struct json *j, const struct chart_stacks *s)
{
	json_key(j, "names");
	json_array(j);
	for (size_t i = 0; s && i < s->names.n; i++)
		json_string(j, s->names.items[i]);
	json_end(j, ']');
}

static void timechart_data_add_columns(struct json *j, struct timechart_data_writing *w)
{
	_cleanup_(bytes_done) struct bytes all = { 0 }, packed = { 0 };
	_cleanup_(text_done) struct text base64 = TEXT_EMPTY;

	json_key(j, "columns");
	json_array(j);
	for (size_t i = 0; i < N_COLUMNS; i++) {
		json_array(j);
		json_string(j, column_names[i]);
		json_unsigned(j, w->n[i]);
		json_end(j, ']');
		bytes_add(&all, w->columns[i].data, w->columns[i].n);
	}
	json_end(j, ']');
	page_pack(all.data, all.n, &packed);
	base64_add(&base64, packed.data, packed.n);
	json_member(j, "packed", "zlib");
	json_member(j, "data", base64.chars);
}

static void timechart_data_add_facts(struct json *j, const struct timechart_picture *p)
{
	_cleanup_(text_done) struct text start = TEXT_EMPTY;

	text_addf(&start, "%llu", (unsigned long long)p->chart->first);
	json_member_unsigned(j, "version", 1);
	json_member(j, "title", p->title);
	json_member(j, "start", start.chars);
	json_member_unsigned(j, "length", p->chart->last - p->chart->first);
	json_member_unsigned(j, "bin", p->chart->lanes.bin_ns);
	json_member_unsigned(j, "events", p->chart->n_events);
	json_member_unsigned(j, "highlight", p->highlight_ns);
	json_member_bool(j, "showCpus", p->with_cpus);
	json_member_bool(j, "showTasks", p->with_tasks);
}

void timechart_data_add(struct text *t, const struct timechart_picture *p)
{
	struct timechart_data_writing w = { .p = p };
	struct json j;

	put_lanes(&w);
	put_stacks(&w);
	json_init_text(&j, t);
	j.on_line = true;
	j.is_tight = true;
	j.colon = ":";
	json_object(&j);
	timechart_data_add_facts(&j, p);
	timechart_data_add_tasks(&j, p);
	timechart_data_add_names(&j, p->stacks);
	timechart_data_add_columns(&j, &w);
	json_end(&j, '}');
	for (size_t i = 0; i < N_COLUMNS; i++)
		bytes_done(&w.columns[i]);
}
