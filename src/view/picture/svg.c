/* SPDX-License-Identifier: MIT */
#include "view/picture/svg.h"

#include <assert.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "view/text-flush.h"

void svg_init(struct svg *s, FILE *file)
{
	*s = (struct svg){ .out = TEXT_EMPTY, .file = file };
}

static void svg_flush(struct svg *s, bool all)
{
	int r = s->error ? 0 : text_flush(&s->out, s->file, all);

	if (r < 0)
		s->error = r;
	if (s->error)
		text_clear(&s->out); /* it cannot be written any more */
}

int svg_done(struct svg *s)
{
	assert(!s->depth);
	svg_flush(s, true);
	text_done(&s->out);
	return s->error;
}

void svg_document(struct svg *s)
{
	text_add(&s->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	svg_open(s, "svg");
	svg_attr(s, "xmlns", "http://www.w3.org/2000/svg");
}

static void end_tag(struct svg *s)
{
	if (s->is_in_tag)
		text_add_char(&s->out, '>');
	s->is_in_tag = false;
}

void svg_open(struct svg *s, const char *element)
{
	assert(s->depth < SVG_DEPTH_MAX);
	end_tag(s);
	svg_flush(s, false);
	text_add_char(&s->out, '<');
	text_add(&s->out, element);
	s->open[s->depth++] = element;
	s->is_in_tag = true;
}

void svg_close(struct svg *s)
{
	const char *element;

	assert(s->depth);
	element = s->open[--s->depth];
	if (s->is_in_tag) {
		text_add(&s->out, "/>");
	} else {
		text_add(&s->out, "</");
		text_add(&s->out, element);
		text_add_char(&s->out, '>');
	}
	s->is_in_tag = false;
}

void svg_line(struct svg *s)
{
	end_tag(s);
	text_add_char(&s->out, '\n');
}

static void begin_attr(struct svg *s, const char *name)
{
	assert(s->is_in_tag);
	text_add_char(&s->out, ' ');
	text_add(&s->out, name);
	text_add_bytes(&s->out, "=\"", 2);
}

static void end_number(struct svg *s, char *end)
{
	*end++ = '"';
	text_filled(&s->out, end);
}

void svg_attr(struct svg *s, const char *name, const char *value)
{
	begin_attr(s, name);
	escape_xml(&s->out, value, strlen(value));
	text_add_char(&s->out, '"');
}

void svg_attr_unsigned(struct svg *s, const char *name, uint64_t value)
{
	begin_attr(s, name);
	end_number(s, digits_decimal(text_room(&s->out, DIGITS_MAX + 1), value));
}

void svg_attr_signed(struct svg *s, const char *name, int64_t value)
{
	begin_attr(s, name);
	end_number(s, digits_signed(text_room(&s->out, DIGITS_MAX + 1), value));
}

void svg_attr_decimal(struct svg *s, const char *name, double value, unsigned decimals)
{
	begin_attr(s, name);
	end_number(s, digits_short(text_room(&s->out, DIGITS_MAX + 1), value, decimals));
}

void svg_text_bytes(struct svg *s, const char *text, size_t n)
{
	end_tag(s);
	escape_xml(&s->out, text, n);
}

void svg_text(struct svg *s, const char *text)
{
	svg_text_bytes(s, text, strlen(text));
}

void svg_element(struct svg *s, const char *element, const char *text)
{
	svg_open(s, element);
	svg_text(s, text);
	svg_close(s);
}

void svg_verbatim(struct svg *s, const char *element, const char *text, size_t n)
{
	svg_open(s, element);
	end_tag(s);
	text_add(&s->out, "<![CDATA[\n");
	text_add_bytes(&s->out, text, n);
	text_add(&s->out, "]]>");
	svg_close(s);
	svg_line(s);
}

void svg_words(struct svg *s, const char *class, double x, double y, const char *words)
{
	svg_open(s, "text");
	svg_attr(s, "class", class);
	svg_attr_decimal(s, "x", x, 1);
	svg_attr_decimal(s, "y", y, 1);
	svg_text(s, words);
	svg_close(s);
}

void svg_page(struct svg *s)
{
	svg_open(s, "rect");
	svg_attr(s, "class", "page");
	svg_attr(s, "width", "100%");
	svg_attr(s, "height", "100%");
	svg_close(s);
	svg_line(s);
}
