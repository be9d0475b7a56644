/* SPDX-License-Identifier: MIT */
#include "tools/query/stack-rows-work.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/frames.h"
#include "profile/stack-numbers.h"
#include "profile/stacks.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tools/query/row-builder-work.h"
#include "tools/query/tables-work.h"

static const char *frame_symbol(const struct frame *f)
{
	return f->sym ? f->sym->name : NULL;
}

static const char *frame_dso(const struct frame *f)
{
	return f->image ? image_long_name(f->image) : NULL;
}

static const char *mode_text(enum address_mode mode)
{
	static const char *const names[] = {
		[ADDRESS_KERNEL] = "kernel",         [ADDRESS_USER] = "user",
		[ADDRESS_HYPERVISOR] = "hypervisor", [ADDRESS_GUEST_KERNEL] = "guest kernel",
		[ADDRESS_GUEST_USER] = "guest user",
	};

	return mode < ARRAY_SIZE(names) ? names[mode] : "unknown";
}

static void query_stack_rows_add_frame(struct text *t, const struct frame *f)
{
	const char *name = frame_symbol(f);

	if (name)
		/* A semicolon would separate two frames. */
		for (; *name; name++)
			text_add_char(t, *name == ';' ? ':' : *name);
	else if (f->image)
		text_addf(t, "[%s]", image_short_name(f->image));
	else
		text_add(t, "[unknown]");
}

void stack_add_folded(struct text *t, const struct stack_numbers *stacks, uint32_t number)
{
	uint32_t *places = NULL;
	size_t n = 0, room = 0;

	for (uint32_t at = stack_numbers_first(stacks, number); at != STACK_NONE;
	     at = stack_numbers_outer(stacks, at)) {
		places = array_reserve(places, &room, n + 1, sizeof(*places));
		places[n++] = at;
	}
	for (size_t i = n; i--;) {
		uint32_t frame = stack_numbers_frame_at(stacks, places[i]);

		query_stack_rows_add_frame(t, stack_numbers_frame(stacks, frame));
		if (i)
			text_add_char(t, ';');
	}
	free(places);
}

static size_t query_stack_rows_depth_of(const struct stack_numbers *stacks, uint32_t number)
{
	size_t n = 0;

	for (uint32_t at = stack_numbers_first(stacks, number); at != STACK_NONE;
	     at = stack_numbers_outer(stacks, at))
		n++;
	return n;
}

static void query_stack_rows_add_stacks(struct row_builder *b, const struct stack_numbers *stacks)
{
	struct text folded = TEXT_EMPTY;

	for (uint32_t i = 1; i <= stack_numbers_count(stacks); i++) {
		uint32_t number = stack_numbers_frame_at(stacks, stack_numbers_first(stacks, i));
		const struct frame *f = stack_numbers_frame(stacks, number);

		text_clear(&folded);
		stack_add_folded(&folded, stacks, i);
		row_add_number(b, 0, i);
		row_add_number(b, 1, (int64_t)query_stack_rows_depth_of(stacks, i));
		row_add_number(b, 2, number);
		row_add_text(b, 3, frame_symbol(f));
		row_add_text(b, 4, frame_dso(f));
		row_add_text(b, 5, folded.chars);
		row_end(b);
	}
	text_done(&folded);
}

static void add_stack_frames(struct row_builder *b, const struct stack_numbers *stacks)
{
	for (uint32_t i = 1; i <= stack_numbers_count(stacks); i++) {
		int64_t level = 0;

		for (uint32_t at = stack_numbers_first(stacks, i); at != STACK_NONE;
		     at = stack_numbers_outer(stacks, at)) {
			uint32_t number = stack_numbers_frame_at(stacks, at);
			const struct frame *f = stack_numbers_frame(stacks, number);

			row_add_number(b, 0, i);
			row_add_number(b, 1, level++);
			row_add_number(b, 2, number);
			row_add_text(b, 3, frame_symbol(f));
			row_add_text(b, 4, frame_dso(f));
			row_end(b);
		}
	}
}

static void query_stack_rows_add_frames(struct row_builder *b, const struct stack_numbers *stacks)
{
	for (uint32_t i = 1; i <= stack_numbers_frame_count(stacks); i++) {
		const struct frame *f = stack_numbers_frame(stacks, i);

		row_add_number(b, 0, i);
		row_add_text(b, 1, frame_symbol(f));
		row_add_text(b, 2, frame_dso(f));
		row_add_number(b, 3, (int64_t)frame_address(f));
		row_add_text(b, 4, mode_text(f->mode));
		row_add_number(b, 5, f->sym && f->sym->is_inlined);
		row_end(b);
	}
}

struct sample_table *stack_rows(const struct query_table *t, const struct stack_numbers *stacks)
{
	struct row_builder *b = row_builder_new(t);
	struct sample_table *made;

	switch (t->kind) {
	case QUERY_TABLE_STACKS:
		query_stack_rows_add_stacks(b, stacks);
		break;
	case QUERY_TABLE_STACK_FRAMES:
		add_stack_frames(b, stacks);
		break;
	default:
		query_stack_rows_add_frames(b, stacks);
	}
	made = row_builder_finish(b);
	row_builder_free(b);
	return made;
}
