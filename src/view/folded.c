/* SPDX-License-Identifier: MIT */
#include "view/folded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/flame.h"

/*
 * An entry of the sorted list. Lines are sorted as whole texts, like sort(1) and the stackcollapse
 * scripts do, but without making all of them first: the boxes above one box are sorted by their
 * next name. The line of a box itself ends after its name, and the lines of the boxes above it
 * continue with ';', so that the name of another box may come in between: `a`, `a!`, `a;b`.
 */
struct folded_item {
	const char *name;
	uint32_t box;
	char next; /* after the name: '\0', or ';' for the boxes above it */
};

/* The items above one box, on the path from the first box to the current one. */
struct folded_level {
	size_t next, end; /* the range of the remaining items */
	size_t path;      /* the length of the line up to here */
};

struct folded_printing {
	const struct flame *f;
	FILE *out;
	struct text line;
	struct {
		struct folded_item *items;
		size_t n, room;
	} items;
	struct {
		struct folded_level *items;
		size_t n, room;
	} levels;
};

static int folded_by_text(const void *a, const void *b)
{
	const struct folded_item *ia = a, *ib = b;
	const unsigned char *na = (const void *)ia->name, *nb = (const void *)ib->name;

	for (; *na && *na == *nb; na++, nb++)
		;
	return (*na ? *na : ia->next) - (*nb ? *nb : ib->next);
}

static void open_level(struct folded_printing *p, uint32_t box)
{
	const struct flame_box *boxes = p->f->boxes;
	size_t first = p->items.n;

	for (uint32_t i = box + 1; i < boxes[box].end; i = boxes[i].end) {
		if (boxes[i].value[FLAME_AFTER].self)
			*ARRAY_ADD(&p->items) = (struct folded_item){ boxes[i].name, i, '\0' };
		if (boxes[i].end > i + 1)
			*ARRAY_ADD(&p->items) = (struct folded_item){ boxes[i].name, i, ';' };
	}
	if (p->items.n > first)
		qsort(p->items.items + first, p->items.n - first, sizeof(struct folded_item),
		      folded_by_text);
	*ARRAY_ADD(&p->levels) =
		(struct folded_level){ .next = first, .end = p->items.n, .path = p->line.length };
}

static void close_level(struct folded_printing *p)
{
	p->levels.n--;
	if (p->levels.n)
		p->items.n = p->levels.items[p->levels.n - 1].end;
}

/* Cuts the text back to the end of @l's line. */
static void cut_line(struct text *line, const struct folded_level *l)
{
	if (line->length)
		text_filled(line, line->chars + l->path);
}

static void folded_print_item(struct folded_printing *p, const struct folded_item *i)
{
	text_add(&p->line, i->name);
	if (i->next) {
		text_add_char(&p->line, ';');
		open_level(p, i->box);
		return;
	}
	text_addf(&p->line, " %" PRIu64 "\n", p->f->boxes[i->box].value[FLAME_AFTER].self);
	fwrite(p->line.chars, 1, p->line.length, p->out);
}

int folded_print(const struct flame *f, FILE *out)
{
	struct folded_printing p = { .f = f, .out = out, .line = TEXT_EMPTY };

	open_level(&p, 0);
	while (p.levels.n && !ferror(out)) {
		struct folded_level *l = &p.levels.items[p.levels.n - 1];

		if (l->next == l->end) {
			close_level(&p);
			continue;
		}
		cut_line(&p.line, l);
		folded_print_item(&p, &p.items.items[l->next++]);
	}
	text_done(&p.line);
	free(p.items.items);
	free(p.levels.items);
	return ferror(out) ? -EIO : 0;
}
