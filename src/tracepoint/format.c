/* SPDX-License-Identifier: MIT */
#include "tracepoint/format.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"

/*
 * The maximum size of a record. A sample's size is 16 bits wide, so no record is longer and no
 * field lies beyond it.
 */
#define RECORD_SIZE_MAX (1 << 16)

/*
 * The maximum number of fields. A record of that size cannot use more; the kernel's largest has
 * some fifty.
 */
#define FIELDS_MAX 4096

/* The current line: [at, end) of text. Both move within it. */
struct tracepoint_format_line {
	const char *start, *at, *end;
};

struct tracepoint_format_parser {
	struct tracepoint_format *format;
	size_t room;
	struct diag *diag;
};

static void field_done(struct tracepoint_field *f)
{
	free(f->declaration);
	free(f->name);
	free(f->type);
}

void tracepoint_format_free(struct tracepoint_format *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_fields; i++)
		field_done(&f->fields[i]);
	free(f->fields);
	free(f->name);
	free(f->print_fmt);
	free(f);
}

static int tracepoint_format_malformed(const struct tracepoint_format_parser *p,
				       const struct tracepoint_format_line *l, const char *what)
{
	_cleanup_(freep) char *excerpt = xstrndup(l->start, (size_t)(l->end - l->start));

	return diag_mark(p->diag, -EBADMSG, excerpt, (size_t)(l->at - l->start), 0,
			 "malformed tracepoint format: %s", what);
}

static bool take_prefix(struct tracepoint_format_line *l, const char *prefix)
{
	size_t n = strlen(prefix);

	if ((size_t)(l->end - l->at) < n || memcmp(l->at, prefix, n) != 0)
		return false;
	l->at += n;
	return true;
}

static void tracepoint_format_skip_blanks(struct tracepoint_format_line *l)
{
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t'))
		l->at++;
}

/* Takes the text up to the next @stop, which is skipped. Returns NULL if there is none. */
static char *take_until(struct tracepoint_format_line *l, char stop)
{
	const char *found = memchr(l->at, stop, (size_t)(l->end - l->at));

	if (!found)
		return NULL;

	char *s = xstrndup(l->at, (size_t)(found - l->at));

	l->at = found + 1;
	return s;
}

static bool tracepoint_format_is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Splits "char prev_comm[16]" into prev_comm and char[16]. The name is the last word, without the
 * brackets of an array; those of "__data_loc char[] name" precede it.
 */
static bool split_declaration(struct tracepoint_field *f)
{
	const char *s = f->declaration, *tail = s + strlen(s);

	while (tail > s && tail[-1] == ']') {
		while (tail > s && *--tail != '[')
			;
	}

	const char *end = tail;

	while (end > s && end[-1] == ' ')
		end--;

	const char *name = end;

	while (name > s && tracepoint_format_is_word_char(name[-1]))
		name--;

	size_t before = (size_t)(name - s);

	while (before && s[before - 1] == ' ')
		before--;
	if (name == end || !before)
		return false;
	f->name = xstrndup(name, (size_t)(end - name));
	f->type = xmalloc(before + strlen(tail) + 1);
	memcpy(f->type, s, before);
	strcpy(f->type + before, tail);
	return true;
}

/* True if @word occurs in @type, but not as a part of a longer word. */
static bool type_has_word(const char *type, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = type; (s = strstr(s, word)); s += n)
		if ((s == type || !tracepoint_format_is_word_char(s[-1])) &&
		    !tracepoint_format_is_word_char(s[n]))
			return true;
	return false;
}

static void tracepoint_format_classify(struct tracepoint_field *f)
{
	f->is_common = strncmp(f->name, "common_", strlen("common_")) == 0;
	f->is_dynamic = type_has_word(f->type, "__data_loc");
	f->is_rel_dynamic = type_has_word(f->type, "__rel_loc");
	f->is_array = strchr(f->type, '[') != NULL;
	f->is_pointer = !f->is_array && strchr(f->type, '*');
	f->is_string = f->is_array && type_has_word(f->type, "char") &&
		       !type_has_word(f->type, "unsigned") && !strchr(f->type, '*');
}

/* Takes decimal digits and a semicolon. */
static bool tracepoint_format_take_number(struct tracepoint_format_line *l, uint32_t *ret)
{
	uint32_t value = 0;
	const char *c = l->at;

	for (; c < l->end && isdigit((unsigned char)*c) && value <= RECORD_SIZE_MAX; c++)
		value = value * 10 + (uint32_t)(*c - '0');
	if (c == l->at || c == l->end || *c != ';' || value > RECORD_SIZE_MAX)
		return false;
	l->at = c + 1;
	*ret = value;
	return true;
}

/* Skips an unknown item: up to its semicolon, or to the end. */
static void skip_item(struct tracepoint_format_line *l)
{
	const char *semicolon = memchr(l->at, ';', (size_t)(l->end - l->at));

	l->at = semicolon ? semicolon + 1 : l->end;
}

/*
 * Parses "\toffset:8;\tsize:16;\tsigned:0;". Kernels may add items, and have done so: older ones
 * have no `signed`.
 */
static int parse_layout(const struct tracepoint_format_parser *p, struct tracepoint_format_line *l,
			struct tracepoint_field *f)
{
	bool has_offset = false, has_size = false, good = true;
	uint32_t is_signed = 0;

	for (tracepoint_format_skip_blanks(l); good && l->at < l->end;
	     tracepoint_format_skip_blanks(l)) {
		if (take_prefix(l, "offset:"))
			good = has_offset = tracepoint_format_take_number(l, &f->offset);
		else if (take_prefix(l, "size:"))
			good = has_size = tracepoint_format_take_number(l, &f->size);
		else if (take_prefix(l, "signed:"))
			good = tracepoint_format_take_number(l, &is_signed);
		else
			skip_item(l);
	}
	if (!good)
		return tracepoint_format_malformed(p, l, "expected a small number and a semicolon");
	if (!has_offset || !has_size)
		return tracepoint_format_malformed(p, l, "the field has no offset or no size");
	if (f->offset + f->size > RECORD_SIZE_MAX)
		return tracepoint_format_malformed(p, l, "the field lies beyond any record");
	f->is_signed = is_signed != 0;
	return 0;
}

static int parse_field(struct tracepoint_format_parser *p, struct tracepoint_format_line *l)
{
	struct tracepoint_format *format = p->format;

	if (format->n_fields == FIELDS_MAX)
		return tracepoint_format_malformed(p, l, "too many fields");
	format->fields = array_reserve(format->fields, &p->room, format->n_fields + 1,
				       sizeof(format->fields[0]));

	/* The field is counted before it is complete, so that the format releases it on failure. */
	struct tracepoint_field *f = &format->fields[format->n_fields++];

	*f = (struct tracepoint_field){ 0 };
	tracepoint_format_skip_blanks(l);
	f->declaration = take_until(l, ';');
	if (!f->declaration)
		return tracepoint_format_malformed(p, l, "the field has no end");
	if (!split_declaration(f))
		return tracepoint_format_malformed(p, l, "the field has no type or no name");
	tracepoint_format_classify(f);
	return parse_layout(p, l, f);
}

static int tracepoint_format_parse_id(const struct tracepoint_format_parser *p,
				      struct tracepoint_format_line *l)
{
	_cleanup_(freep) char *text = xstrndup(l->at, (size_t)(l->end - l->at));

	if (number_parse(text, &p->format->id) < 0)
		return tracepoint_format_malformed(p, l, "the ID is not a number");
	return 0;
}

/* Parses a line before the print fmt. Unknown lines are comments of another kernel. */
static int tracepoint_format_parse_line(struct tracepoint_format_parser *p,
					struct tracepoint_format_line *l)
{
	tracepoint_format_skip_blanks(l);
	if (take_prefix(l, "field:") || take_prefix(l, "field special:"))
		return parse_field(p, l);
	if (take_prefix(l, "ID: "))
		return tracepoint_format_parse_id(p, l);
	if (take_prefix(l, "name: ")) {
		free(p->format->name);
		p->format->name = xstrndup(l->at, (size_t)(l->end - l->at));
	}
	return 0;
}

/* Returns the print fmt, which is the rest of the text: some contain newlines in their strings. */
static char *rest_of_text(const char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] == '\n')
		n--;
	return xstrndup(s, n);
}

static int parse_text(struct tracepoint_format_parser *p, const char *text)
{
	static const char print_fmt[] = "print fmt:";

	while (*text) {
		struct tracepoint_format_line l = { text, text, text + strcspn(text, "\n") };

		if (take_prefix(&l, print_fmt)) {
			tracepoint_format_skip_blanks(&l);
			p->format->print_fmt = rest_of_text(l.at);
			return 0;
		}

		int r = tracepoint_format_parse_line(p, &l);

		if (r < 0)
			return r;
		text = l.end + (*l.end == '\n');
	}
	p->format->print_fmt = xstrdup("");
	return 0;
}

int tracepoint_format_parse(const char *text, struct tracepoint_format **ret, struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format =
		xcalloc(1, sizeof(*format));
	struct tracepoint_format_parser p = { .format = format, .diag = diag };
	int r;

	format->name = xstrdup("");
	r = parse_text(&p, text);
	if (r < 0)
		return r;
	*ret = TAKE(format);
	return 0;
}

const struct tracepoint_field *tracepoint_field_find(const struct tracepoint_format *f,
						     const char *name)
{
	const struct tracepoint_field *common = NULL;

	for (size_t i = 0; i < f->n_fields; i++) {
		const struct tracepoint_field *field = &f->fields[i];

		if (strcmp(field->name, name) != 0)
			continue;
		if (!field->is_common)
			return field;
		if (!common)
			common = field;
	}
	return common;
}
