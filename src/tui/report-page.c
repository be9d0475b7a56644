/* SPDX-License-Identifier: MIT */
#include "tui/report-page.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "profile/report-hierarchy.h"
#include "tui/browse.h"
#include "tui/fold-set.h"
#include "tui/line-map.h"
#include "view/report/row-text.h"
#include "view/report/table.h"

/*
 * The number of first rows whose widths determine those of columns. Columns become wider when other
 * rows become visible.
 */
#define FITTED_ROWS 5000

/* The width until the screen is known. */
#define COLUMNS_USUAL 80

/* The distance that report_page_find() searches in each direction. */
#define FOUND_WITHIN 20000

/* The state of a row's tree. */
enum tree_state {
	TREE_UNSEEN,
	TREE_NONE,
	TREE_CLOSED,
	TREE_OPEN,
};

struct open_tree {
	struct call_tree tree;
	struct tree_lines lines;
};

struct report_page {
	const struct report_table *table;
	struct report_look look;
	struct report_view view;
	struct fold_set *folds;
	struct report_row_text *text;
	struct report_tree *tree; /* NULL: rows have no trees */
	struct report_hierarchy *hierarchy;
	struct report_item *items;
	size_t n, room;
	uint8_t *states; /* enum tree_state, indexed by item */
	struct line_map lines;
	struct u64_map trees; /* struct open_tree, by item */
	struct text keys;     /* scratch */
};

static void open_tree_free(void *arg, uint64_t key, void *value)
{
	struct open_tree *o = value;

	(void)arg, (void)key;
	call_tree_done(&o->tree);
	tree_lines_done(&o->lines);
	free(o);
}

static void forget_trees(struct report_page *p)
{
	u64_map_for_each(&p->trees, open_tree_free, NULL);
	u64_map_done(&p->trees);
	p->trees = (struct u64_map){ 0 };
}

static void add_item(struct report_page *p, const struct report_item *i)
{
	*ARRAY_ADD(p) = *i;
}

static uint64_t report_page_id_of(struct report_page *p, const struct report_item *i)
{
	uint64_t seed = hash_seed();

	text_clear(&p->keys);
	report_row_text_keys(p->text, i->entry, i->level, &p->keys);
	return hash_u64(seed, i->above ^ hash_bytes(seed, p->keys.chars, p->keys.length));
}

/* True if the item is open. No lookup is needed if all or none are open. */
static bool item_is_open(struct report_page *p, const struct report_item *i)
{
	return p->folds->said.n ? fold_set_is_open(p->folds, report_page_id_of(p, i))
				: p->folds->all_open;
}

static void report_page_add_level(struct report_page *p, size_t level,
				  const struct hierarchy_row *parent, uint64_t above)
{
	parent = report_row_text_parent(p->text, level, parent);
	for (size_t i = 0; i < parent->n_children; i++) {
		const struct hierarchy_row *row = &parent->children[i];
		const struct report_item item = {
			.entry = &row->entry,
			.row = row,
			.above = above,
			.level = (uint32_t)level,
			.is_inner = level + 1 < report_row_text_levels(p->text),
		};

		if (!report_entry_is_shown(p->table->group, &row->entry))
			continue;
		add_item(p, &item);
		if (item.is_inner && item_is_open(p, &item))
			report_page_add_level(p, level + 1, row, report_page_id_of(p, &item));
	}
}

static void report_page_add_entries(struct report_page *p)
{
	const struct report_group *g = p->table->group;

	for (size_t i = 0; i < g->n; i++)
		if (report_entry_is_shown(g, &g->entries[i]))
			add_item(p, &(struct report_item){ .entry = &g->entries[i] });
}

/* Makes the list of rows again. All trees are forgotten. */
static void report_page_lay_out(struct report_page *p)
{
	forget_trees(p);
	p->n = 0;
	if (p->hierarchy && report_row_text_levels(p->text)) {
		const struct hierarchy_row all = { .children = p->hierarchy->rows,
						   .n_children = p->hierarchy->n };

		report_page_add_level(p, 0, &all, 0);
	} else if (!p->hierarchy) {
		report_page_add_entries(p);
	}
	free(p->states);
	p->states = xcalloc(p->n + 1, sizeof(*p->states));
	line_map_init(&p->lines, p->n);
}

static void report_page_fit(struct report_page *p)
{
	for (size_t i = 0; i < p->n && i < FITTED_ROWS; i++)
		report_row_text_fit(p->text, p->items[i].entry, p->items[i].level);
}

struct report_page *report_page_new(const struct browse_snapshot *s, size_t table,
				    const struct report_look *look, struct fold_set *folds)
{
	struct report_page *p = xcalloc(1, sizeof(*p));
	const struct report_plan *plan = &s->profile->plan;
	struct report_form *form = &p->look.tree.form;

	p->table = &s->tables->items[table];
	p->look = *look;
	p->folds = folds;
	p->keys = (struct text)TEXT_EMPTY;
	p->view = (struct report_view){
		.plan = plan,
		.narrow_images = s->request->profile.filter.dsos,
	};
	p->look.tree.order = &s->tables->order;
	form->colour = true;
	form->escape = true;
	form->verbose = s->request->profile.verbose;
	if (!p->look.full_names && !form->widths && !form->verbose) {
		form->columns = COLUMNS_USUAL;
		form->dots = look->ascii ? "..." : "…";
	}
	p->view.form = *form;
	p->text = report_row_text_new(&p->view, p->table->group);
	if (p->table->has_stacks && s->request->tables.rows.with_trees)
		p->tree = report_tree_new(&p->look.tree, p->table->group->members[0]);
	if (plan->levels)
		p->hierarchy = report_hierarchy_new(p->table->group, plan);
	report_page_lay_out(p);
	report_page_fit(p);
	return p;
}

void report_page_set_width(struct report_page *p, unsigned columns)
{
	if (!p->view.form.columns || p->view.form.columns == columns)
		return;
	p->view.form.columns = columns;
	if (p->tree)
		report_tree_set_columns(p->tree, columns);
	report_page_fit(p);
}

void report_page_free(struct report_page *p)
{
	if (!p)
		return;
	forget_trees(p);
	report_tree_free(p->tree);
	report_row_text_free(p->text);
	report_hierarchy_free(p->hierarchy);
	line_map_done(&p->lines);
	text_done(&p->keys);
	free(p->items);
	free(p->states);
	free(p);
}

const struct report_table *report_page_table(const struct report_page *p)
{
	return p->table;
}

size_t report_page_rows(const struct report_page *p)
{
	return p->n;
}

size_t report_page_lines(const struct report_page *p)
{
	return line_map_lines(&p->lines);
}

const struct report_item *report_page_item(const struct report_page *p, size_t item)
{
	return item < p->n ? &p->items[item] : NULL;
}

size_t report_page_columns(const struct report_page *p)
{
	return report_row_text_columns(p->text);
}

struct report_spot report_page_at(const struct report_page *p, size_t line)
{
	struct report_spot at = { 0 };
	const struct open_tree *o;

	at.item = line_map_find(&p->lines, line, &at.sub);
	if (at.sub) {
		o = u64_map_find(&p->trees, at.item);
		at.line = o && at.sub <= o->lines.n ? &o->lines.items[at.sub - 1] : NULL;
	}
	return at;
}

size_t report_page_line_of(const struct report_page *p, size_t item, size_t sub)
{
	uint32_t height = line_map_height(&p->lines, item);

	return line_map_start(&p->lines, item) + (sub < height ? sub : height ? height - 1 : 0);
}

uint64_t report_page_id(struct report_page *p, size_t item)
{
	return item < p->n ? report_page_id_of(p, &p->items[item]) : 0;
}

struct branches {
	const struct fold_set *folds;
	uint64_t row;
};

static bool branch_is_open(void *arg, uint64_t id)
{
	const struct branches *b = arg;

	return fold_set_branch_is_open(b->folds, b->row, id);
}

static const struct report_row *report_page_row_of(const struct report_page *p, size_t item)
{
	const struct report_item *i = &p->items[item];

	/* A row of a hierarchy without weight has no tree, as in --stdio. */
	if (i->is_inner || (i->row && !i->entry->row->self.period))
		return NULL;
	return i->entry->members[0];
}

static void report_page_fold(struct report_page *p, size_t item, struct open_tree *o)
{
	struct branches b = { .folds = p->folds, .row = report_page_id(p, item) };
	const struct tree_folding folding = { .is_open = branch_is_open, .arg = &b };

	report_tree_fold(p->tree, &o->tree, report_page_row_of(p, item), &folding, &o->lines);
	line_map_set(&p->lines, item, (uint32_t)(1 + o->lines.n));
}

static void drop_tree(struct report_page *p, size_t item)
{
	struct open_tree *o = u64_map_remove(&p->trees, item);

	if (o)
		open_tree_free(NULL, 0, o);
	line_map_set(&p->lines, item, 1);
}

/* Makes the tree and keeps it if it is to be shown. */
static void look_for_tree(struct report_page *p, size_t item)
{
	const struct report_row *row = p->tree ? report_page_row_of(p, item) : NULL;
	struct call_tree tree = { 0 };
	struct open_tree *o;

	p->states[item] = TREE_NONE;
	if (!row)
		return;
	report_tree_grow(p->tree, row, &tree);
	if (!tree.root.n_children || !item_is_open(p, &p->items[item])) {
		p->states[item] = tree.root.n_children ? TREE_CLOSED : TREE_NONE;
		call_tree_done(&tree);
		return;
	}
	p->states[item] = TREE_OPEN;
	o = xcalloc(1, sizeof(*o));
	o->tree = tree;
	o->lines = (struct tree_lines)TREE_LINES_EMPTY;
	u64_map_put(&p->trees, item, o);
	report_page_fold(p, item, o);
}

void report_page_see(struct report_page *p, size_t item)
{
	if (item >= p->n || p->states[item] != TREE_UNSEEN)
		return;
	if (item >= FITTED_ROWS)
		report_row_text_fit(p->text, p->items[item].entry, p->items[item].level);
	look_for_tree(p, item);
}

/* Examines a row again after it was opened or closed. */
static void see_again(struct report_page *p, size_t item)
{
	drop_tree(p, item);
	look_for_tree(p, item);
}

char report_page_sign(const struct report_page *p, size_t item)
{
	const struct report_item *i = report_page_item(p, item);

	if (!i)
		return ' ';
	if (i->is_inner)
		return item_is_open((struct report_page *)p, i) ? '-' : '+';
	return p->states[item] == TREE_OPEN ? '-' : p->states[item] == TREE_CLOSED ? '+' : ' ';
}

void report_page_heads(const struct report_page *p, size_t skip, struct text *out)
{
	report_row_text_heads(p->text, skip, out);
}

void report_page_text(struct report_page *p, const struct report_spot *at, size_t skip,
		      struct text *out)
{
	const struct report_item *i = report_page_item(p, at->item);
	const struct open_tree *o;

	if (!i)
		return;
	if (!at->line) {
		report_row_text_add(p->text, i->entry, i->level, report_page_sign(p, at->item),
				    skip, out);
		return;
	}
	o = u64_map_find(&p->trees, at->item);
	text_pad(out, out->length, REPORT_PAGE_INDENT * (size_t)i->level, 0, ' ');
	report_tree_line_text(p->tree, &o->lines, at->line, out);
}

void report_page_name(struct report_page *p, const struct report_spot *at, struct text *out)
{
	if (at->line)
		report_tree_line_name(p->tree, at->line, out);
}

size_t report_page_find(struct report_page *p, uint64_t id, size_t near)
{
	size_t n = p->n < FOUND_WITHIN ? p->n : FOUND_WITHIN;

	near = near < p->n ? near : p->n;
	for (size_t i = 0; i <= n; i++) {
		if (near + i < p->n && report_page_id(p, near + i) == id)
			return near + i;
		if (i && i <= near && report_page_id(p, near - i) == id)
			return near - i;
	}
	return p->n;
}

/* Updates the rows after a change in a hierarchy. */
static void lay_out_again(struct report_page *p)
{
	report_page_lay_out(p);
	report_page_fit(p);
}

static void toggle_row(struct report_page *p, size_t item)
{
	uint64_t id = report_page_id(p, item);

	fold_set_open(p->folds, id, !fold_set_is_open(p->folds, id));
	if (p->items[item].is_inner)
		lay_out_again(p);
	else
		see_again(p, item);
}

void report_page_toggle(struct report_page *p, const struct report_spot *at)
{
	struct open_tree *o = at->line ? u64_map_find(&p->trees, at->item) : NULL;

	if (at->item >= p->n)
		return;
	if (!at->line) {
		toggle_row(p, at->item);
	} else if (o && at->line->sign != ' ') {
		fold_set_open_branch(p->folds, report_page_id(p, at->item), at->line->id,
				     at->line->sign == '+');
		report_page_fold(p, at->item, o);
	}
}

static void set_deep(struct report_page *p, const struct report_item *i, uint64_t id, bool open)
{
	const struct hierarchy_row *parent;

	fold_set_deep(p->folds, id, open);
	if (!i->is_inner)
		return;
	parent = report_row_text_parent(p->text, i->level + 1, i->row);
	for (size_t k = 0; k < parent->n_children; k++) {
		const struct report_item child = {
			.entry = &parent->children[k].entry,
			.row = &parent->children[k],
			.above = id,
			.level = i->level + 1,
			.is_inner = i->level + 2 < report_row_text_levels(p->text),
		};

		set_deep(p, &child, report_page_id_of(p, &child), open);
	}
}

static void report_page_deepen(struct report_page *p, size_t item, bool open)
{
	const struct report_item i = p->items[item];

	set_deep(p, &i, report_page_id(p, item), open);
	if (i.is_inner)
		lay_out_again(p);
	else
		see_again(p, item);
}

void report_page_toggle_deep(struct report_page *p, size_t item)
{
	if (item < p->n)
		report_page_deepen(p, item, report_page_sign(p, item) != '-');
}

void report_page_close(struct report_page *p, size_t item)
{
	if (item < p->n)
		report_page_deepen(p, item, false);
}

void report_page_open_all(struct report_page *p, bool open)
{
	fold_set_all(p->folds, open);
	lay_out_again(p);
}
