/* SPDX-License-Identifier: MIT */
/*
 * The line of the source itself, below a sample: "|12       for (;;)". A thread that stays in its
 * line does not repeat it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "session/machine.h"
#include "symbol/source.h"
#include "symbol/text-files.h"
#include "tools/script/writer-view.h"

/* Returns the last line that was shown for a thread. */
static struct source_line *script_write_source_last_of(struct script_writer *p, uint32_t tid)
{
	struct source_line *last = u64_map_find(&p->last_lines, tid);

	if (!last) {
		last = arena_alloc(&p->lines_arena, sizeof(*last));
		*last = (struct source_line){ 0 };
		u64_map_put(&p->last_lines, tid, last);
	}
	return last;
}

static bool script_write_source_is_same(const struct source_line *a, const struct source_line *b)
{
	return a->file && a->line == b->line && !strcmp(a->file, b->file);
}

/* Returns the text of @l. NULL: its file is not here, or has changed. */
static const char *script_write_source_code_of(struct script_writer *p, const struct source_line *l,
					       size_t *ret_length)
{
	static const struct text_files_options as_they_are;
	const struct text_file *file;

	if (!p->sources)
		p->sources = text_files_new(&as_they_are);
	file = text_files_find(p->sources, l->file);
	if (!file || !l->line || l->line > text_file_lines(file))
		return NULL;
	return text_file_line(file, l->line, ret_length);
}

void script_write_source_of(struct script_writer *p, const struct script_head *h,
			    const struct location *loc)
{
	struct source_line line, *last = script_write_source_last_of(p, h->tid);
	const char *code;
	size_t n;

	if (!loc->map || !image_source_line(loc->map->image, loc->image_addr, &line) ||
	    script_write_source_is_same(last, &line))
		return;
	code = script_write_source_code_of(p, &line, &n);
	if (!code)
		return;
	*last = line;
	text_addf(&p->out, "|%-8" PRIu32 " ", line.line);
	script_write_foreign(p, code, n);
	text_add_char(&p->out, '\n');
}

void script_write_source_code(struct script_writer *p, const struct script_head *h,
			      const struct sample *s)
{
	struct location loc;

	machine_locate(p->setup->session, h->pid, address_mode_of(s->misc), s->ip, h->moment, &loc);
	script_write_source_of(p, h, &loc);
}
