/* SPDX-License-Identifier: MIT */
#include "profile/flamegraph-compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "profile/diff-inputs.h"
#include "profile/flame-compare.h"
#include "profile/flamegraph.h"

/* The sides of a comparison, in the order in which they are typed. */
static const enum flame_side sides[] = { FLAME_BEFORE, FLAME_AFTER };

/*
 * If this part (a fifth) of both sides is in tasks of one side only, the difference is more than a
 * few new stacks.
 */
#define APART_PART 5

struct parts {
	struct flame_part *items;
	size_t n, room;
	char *unit; /* the unit that all parts have */
};

static void parts_done(struct parts *p)
{
	for (size_t i = 0; i < p->n; i++) {
		flame_free((struct flame *)p->items[i].weights);
		flame_free((struct flame *)p->items[i].samples);
	}
	free(p->items);
	free(p->unit);
}

static int flamegraph_compare_check(const struct diff_inputs *in, struct diag *diag)
{
	if (in->n == ARRAY_SIZE(sides))
		return 0;
	diag_set(diag, -EINVAL, "--diff compares two sides, and not %zu", in->n);
	diag_hint(diag, "Several recordings of a side are a list: --diff a1.data,a2.data "
			"b1.data,b2.data");
	return -EINVAL;
}

static bool has_note(const struct notes *notes, const struct note *note)
{
	for (size_t i = 0; i < notes->n; i++)
		if (!strcmp(notes->items[i].what.message, note->what.message))
			return true;
	return false;
}

/* Adds the notes, but those that several recordings have in common only once. */
static void flamegraph_compare_add_notes(struct notes *notes, struct notes *more)
{
	for (size_t i = 0; i < more->n; i++)
		if (!has_note(notes, &more->items[i]))
			notes_take(notes, more->items[i].kind, &more->items[i].what);
}

/* Checks that the units agree, since counts of different things cannot be compared. */
static int check_unit(struct parts *p, const struct flamegraph *g, const char *path,
		      struct diag *diag)
{
	const char *unit = g->event ? g->event : g->unit;

	if (!p->unit)
		p->unit = xstrdup(unit);
	if (!strcmp(p->unit, unit))
		return 0;
	diag_set(diag, -EINVAL, "%s is of %s, but other recordings are of %s", path, unit, p->unit);
	diag_hint(diag, "--event chooses one that all of them have.");
	return -EINVAL;
}

static int flamegraph_compare_add_recording(struct parts *p, struct flamegraph *g,
					    const struct flamegraph_request *request,
					    enum flame_side side, struct notes *notes,
					    struct diag *diag)
{
	_cleanup_(notes_done) struct notes own = { 0 };
	int r;

	flamegraph_done(g);
	r = flamegraph_make(g, request, &own, diag);
	flamegraph_compare_add_notes(notes, &own);
	if (r < 0) {
		diag_hint(diag, "That is so in %s.", request->profile.path);
		return r;
	}
	r = check_unit(p, g, request->profile.path, diag);
	if (r >= 0)
		*ARRAY_ADD(p) = (struct flame_part){ .side = side,
						     .weights = TAKE(g->flame),
						     .samples = TAKE(g->samples) };
	return r;
}

static void note_single(const struct diff_inputs *in, struct notes *notes)
{
	if (in->items[0].n > 1 && in->items[1].n > 1)
		return;
	notes_add(notes, NOTE_REMARK,
		  "One recording of a side shows the noise of sampling, but not how much runs "
		  "differ: several do (--diff 'before-*.data' 'after-*.data')");
}

/*
 * Returns the largest task that only side @side of @f has, if such tasks are a large part of it; or
 * NULL.
 */
static const struct flame_box *find_task_apart(const struct flame *f, enum flame_side side)
{
	enum flame_side other = side == FLAME_AFTER ? FLAME_BEFORE : FLAME_AFTER;
	const struct flame_box *largest = NULL;
	uint64_t apart = 0;

	for (size_t i = 1; i < f->n; i = f->boxes[i].end) {
		const struct flame_box *b = &f->boxes[i];

		if (b->kind != FLAME_TASK || b->value[other].total)
			continue;
		apart += b->value[side].total;
		if (!largest || b->value[side].total > largest->value[side].total)
			largest = b;
	}
	return apart >= f->boxes[0].value[side].total / APART_PART ? largest : NULL;
}

/*
 * Notes that the programs have different names. Their stacks have no boxes in common, because they
 * stand on the names.
 */
static void note_tasks_apart(const struct flame *f, bool is_folded, struct notes *notes)
{
	const struct flame_box *before = find_task_apart(f, FLAME_BEFORE);
	const struct flame_box *after = find_task_apart(f, FLAME_AFTER);
	struct diag d = { 0 };

	if (!before || !after)
		return;
	diag_set(&d, 0,
		 "stacks of %s are only before and those of %s only after, so their boxes are not "
		 "compared",
		 before->name, after->name);
	diag_hint(&d, is_folded
			      ? "Lines without the names of programs can be compared: perf script "
				"--folded --root none"
			      : "Compare stacks without the names of their programs: --root none");
	notes_take(notes, NOTE_WARNING, &d);
}

int flamegraph_compare(struct flamegraph *g, const struct flamegraph_request *rq,
		       struct notes *notes, struct diag *diag)
{
	_cleanup_(parts_done) struct parts parts = { 0 };
	const struct diff_inputs *in = rq->sides;
	struct flamegraph_request one = *rq;
	int r = flamegraph_compare_check(in, diag);

	one.sides = NULL;
	one.with_samples = true;
	for (size_t side = 0; r >= 0 && side < in->n; side++)
		for (size_t i = 0; r >= 0 && i < in->items[side].n; i++) {
			one.profile.path = in->items[side].items[i];
			r = flamegraph_compare_add_recording(&parts, g, &one, sides[side], notes,
							     diag);
		}
	if (r < 0)
		return r;
	g->flame = flame_compare(parts.items, parts.n);
	note_tasks_apart(g->flame, !g->event, notes);
	note_single(in, notes);
	return 0;
}
