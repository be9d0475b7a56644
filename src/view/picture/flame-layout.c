/* SPDX-License-Identifier: MIT */
#include "view/picture/flame-layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"

static void find_starts(const struct flame *f, enum flame_side side, uint64_t *start)
{
	_cleanup_(freep) uint64_t *next = xcalloc(f->n, sizeof(*next));

	for (size_t i = 1; i < f->n; i++) {
		const struct flame_box *box = &f->boxes[i];

		start[i] = next[i] = next[box->parent];
		next[box->parent] += box->value[side].total;
	}
}

static bool is_large(const struct flame *f, const struct flame_box *box, double least)
{
	for (unsigned side = 0; side <= (unsigned)f->is_comparison; side++) {
		double all = (double)f->boxes[0].value[side].total;

		if (box->value[side].total && (double)box->value[side].total >= least * all)
			return true;
	}
	return false;
}

void flame_layout_init(struct flame_layout *l, const struct flame *f, double least)
{
	*l = (struct flame_layout){ .f = f, .is_drawn = xcalloc(f->n, sizeof(bool)) };
	for (unsigned side = 0; side < N_FLAME_SIDES; side++) {
		l->start[side] = xcalloc(f->n, sizeof(uint64_t));
		find_starts(f, side, l->start[side]);
	}
	for (size_t i = 0; i < f->n; i++) {
		const struct flame_box *box = &f->boxes[i];

		if (i && !is_large(f, box, least))
			continue;
		l->is_drawn[i] = true;
		l->has_kind[box->kind] = true;
		l->n++;
		if (box->depth > l->depth)
			l->depth = box->depth;
	}
}

void flame_layout_done(struct flame_layout *l)
{
	for (unsigned side = 0; side < N_FLAME_SIDES; side++)
		free(l->start[side]);
	free(l->is_drawn);
}

static double picture_flame_layout_part(const struct flame_layout *l, uint64_t value,
					enum flame_side side, double width)
{
	uint64_t all = l->f->boxes[0].value[side].total;

	return all ? (double)value * width / (double)all : 0;
}

double flame_layout_x(const struct flame_layout *l, size_t i, enum flame_side side, double width)
{
	return picture_flame_layout_part(l, l->start[side][i], side, width);
}

double flame_layout_width(const struct flame_layout *l, size_t i, enum flame_side side,
			  double width)
{
	/* An empty picture still has its first box. */
	if (!i)
		return width;
	return picture_flame_layout_part(l, l->f->boxes[i].value[side].total, side, width);
}

int flame_change_step(const struct flame *f, const struct flame_box *box)
{
	static const double ends[FLAME_CHANGE_STEPS - 1] = { 0.1, 0.3, 1, 3, 10 };
	double points = fabs(flame_share(f, box, FLAME_AFTER) - flame_share(f, box, FLAME_BEFORE));
	int step = 1;

	if (box->change == FLAME_NOISE)
		return 0;
	while (step < FLAME_CHANGE_STEPS && points >= ends[step - 1])
		step++;
	return box->change == FLAME_MORE ? step : -step;
}

double flame_gone_share(const struct flame *f)
{
	double share = 0;

	for (size_t i = 1; i < f->n;) {
		const struct flame_box *box = &f->boxes[i];
		bool is_gone = !box->value[FLAME_AFTER].total && box->change == FLAME_LESS;

		if (is_gone)
			share += flame_share(f, box, FLAME_BEFORE);
		i = is_gone ? box->end : i + 1;
	}
	return share;
}

unsigned flame_layout_kinds(const struct flame_layout *l)
{
	for (unsigned kind = FLAME_LANGUAGES; kind < N_FLAME_KINDS; kind++)
		if (l->has_kind[kind])
			return N_FLAME_KINDS;
	return FLAME_LANGUAGES;
}

const char *flame_kind_word(enum flame_kind kind)
{
	static const char *const words[N_FLAME_KINDS] = {
		[FLAME_ALL] = "all",         [FLAME_TASK] = "task",
		[FLAME_USER] = "user",       [FLAME_KERNEL] = "kernel",
		[FLAME_JIT] = "JIT",         [FLAME_INLINED] = "inlined",
		[FLAME_UNKNOWN] = "unknown", [FLAME_WAIT] = "waiting",
		[FLAME_WAKER] = "waker",     [FLAME_PYTHON] = "Python",
		[FLAME_JAVA] = "Java",       [FLAME_JAVASCRIPT] = "JavaScript",
		[FLAME_RUBY] = "Ruby",       [FLAME_PHP] = "PHP",
	};

	return words[kind];
}
