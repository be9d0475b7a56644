/* SPDX-License-Identifier: MIT */
/*
 * The reduced header of a trace-cmd file, version 0.6:
 *
 *	17 08 44 "tracing"; cstr version; u8 big_endian, long_size; u32 page_size;
 *	cstr "header_page"; u64 n; text[n]; cstr "header_event"; u64 n; text[n];
 *	u32 n; { u64 n; text[n]; }[n] of ftrace's own events;
 *	u32 n; { cstr system; u32 n; { u64 n; text[n]; }[n]; }[n];
 *	u32 n; kallsyms[n]; u32 n; printk formats[n]; u64 n; saved command lines[n]
 *
 * Version 0.5 ends before the last. Numbers are in the byte order that big_endian gives.
 */
#include "datafile/tracing-data.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/memory.h"

static const char magic[] = "\x17\x08\x44"
			    "tracing";

#define MAGIC_SIZE (sizeof(magic) - 1)

static const bool we_are_big = __BYTE_ORDER == __BIG_ENDIAN;

static struct tracing_format text_take(struct cursor *c, uint64_t n)
{
	const uint8_t *p = cursor_bytes(c, n);

	return (struct tracing_format){ .text = (const char *)p, .length = p ? n : 0 };
}

/* Reads cstr label; u64 n; text[n]. */
static void labelled_take(struct cursor *c, const char *label, struct tracing_format *ret)
{
	if (strcmp(cursor_string(c), label) != 0)
		c->bad = true;
	else
		*ret = text_take(c, cursor_u64(c));
}

static void system_take(struct cursor *c, const char *system, struct tracing_data *t)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct tracing_format f = text_take(c, cursor_u64(c));

		f.system = system;
		if (c->bad)
			return;
		t->formats = array_reserve(t->formats, &t->room, t->n_formats + 1, sizeof(f));
		t->formats[t->n_formats++] = f;
	}
}

static void formats_take(struct cursor *c, struct tracing_data *t)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++)
		system_take(c, cursor_string(c), t);
}

static void machine_take(struct cursor *c, struct tracing_data *t)
{
	t->version = cursor_string(c);
	t->big_endian = cursor_u8(c);
	c->swap = t->big_endian != we_are_big;
	t->long_size = cursor_u8(c);
	t->page_size = cursor_u32(c);
}

static void tail_take(struct cursor *c, struct tracing_data *t)
{
	struct tracing_format f = text_take(c, cursor_u32(c));

	t->kallsyms = f.text;
	t->kallsyms_length = f.length;
	f = text_take(c, cursor_u32(c));
	t->printk = f.text;
	t->printk_length = f.length;
	if (strcmp(t->version, "0.6") < 0)
		return;
	f = text_take(c, cursor_u64(c));
	t->cmdlines = f.text;
	t->cmdlines_length = f.length;
}

int tracing_data_parse(const void *bytes, size_t size, struct tracing_data *ret, struct diag *diag)
{
	struct cursor c = cursor_over(bytes, size, false);
	struct tracing_data t = { 0 };
	const uint8_t *start = cursor_bytes(&c, MAGIC_SIZE);

	if (!start || memcmp(start, magic, MAGIC_SIZE) != 0)
		return diag_set(diag, -EBADMSG, "the tracing data does not begin as it should");
	machine_take(&c, &t);
	labelled_take(&c, "header_page", &t.header_page);
	labelled_take(&c, "header_event", &t.header_event);
	/* Formats of ftrace's own events, which cannot be recorded. */
	system_take(&c, "ftrace", &t);
	formats_take(&c, &t);
	if (c.bad && !t.n_formats)
		return diag_set(diag, -EBADMSG, "the tracing data is damaged");
	if (!c.bad)
		tail_take(&c, &t);
	*ret = t;
	return 0;
}

void tracing_data_done(struct tracing_data *t)
{
	free(t->formats);
	*t = (struct tracing_data){ 0 };
}

static void text_put(struct bytes *out, const char *text, size_t length)
{
	bytes_u64(out, length);
	bytes_add(out, text, length);
}

/* Returns how many of the formats from @from on belong to the same system. */
static size_t run_length(const struct tracing_data *t, size_t from)
{
	size_t n = 1;

	while (from + n < t->n_formats &&
	       !strcmp(t->formats[from + n].system, t->formats[from].system))
		n++;
	return n;
}

static void formats_put(struct bytes *out, const struct tracing_data *t)
{
	uint32_t systems = 0;

	for (size_t i = 0; i < t->n_formats; i += run_length(t, i))
		systems++;
	bytes_u32(out, systems);
	for (size_t i = 0; i < t->n_formats;) {
		size_t end = i + run_length(t, i);

		bytes_string(out, t->formats[i].system, 1);
		bytes_u32(out, (uint32_t)(end - i));
		for (; i < end; i++)
			text_put(out, t->formats[i].text, t->formats[i].length);
	}
}

void tracing_data_encode(const struct tracing_data *t, struct bytes *out)
{
	bytes_add(out, magic, MAGIC_SIZE);
	bytes_string(out, "0.6", 1);
	bytes_u8(out, we_are_big);
	bytes_u8(out, t->long_size);
	bytes_u32(out, t->page_size);
	bytes_string(out, "header_page", 1);
	text_put(out, t->header_page.text, t->header_page.length);
	bytes_string(out, "header_event", 1);
	text_put(out, t->header_event.text, t->header_event.length);
	bytes_u32(out, 0);
	formats_put(out, t);
	bytes_u32(out, (uint32_t)t->kallsyms_length);
	bytes_add(out, t->kallsyms, t->kallsyms_length);
	bytes_u32(out, (uint32_t)t->printk_length);
	bytes_add(out, t->printk, t->printk_length);
	text_put(out, t->cmdlines, t->cmdlines_length);
}
