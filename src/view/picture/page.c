/* SPDX-License-Identifier: MIT */
#include "view/picture/page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/page/pack.h"
#include "profile/page/page.h"
#include "view/embedded.h"
#include "view/json.h"
#include "view/picture/base64.h"
#include "view/picture/page-facts.h"

struct picture_page_writer {
	FILE *out;
	const struct page *page;
	const char *tool;
};

static void put_style_digest(const struct picture_page_writer *w)
{
	fprintf(w->out, "sha256-%s", embedded_page_css.sha256);
}

static void put_script_digest(const struct picture_page_writer *w)
{
	fprintf(w->out, "sha256-%s", embedded_page_js.sha256);
}

static void put_style(const struct picture_page_writer *w)
{
	fwrite(embedded_page_css.text, 1, embedded_page_css.size, w->out);
}

static void put_script(const struct picture_page_writer *w)
{
	fwrite(embedded_page_js.text, 1, embedded_page_js.size, w->out);
}

/* Writes the digest of the time chart's own style sheet, which precedes the page's. */
static void put_chart_style_digest(const struct picture_page_writer *w)
{
	if (w->page->chart)
		fprintf(w->out, " 'sha256-%s'", embedded_timechart_css.sha256);
}

static void put_chart_script_digest(const struct picture_page_writer *w)
{
	if (w->page->chart)
		fprintf(w->out, " 'sha256-%s'", embedded_timechart_js.sha256);
}

static void put_chart_style(const struct picture_page_writer *w)
{
	if (w->page->chart)
		fprintf(w->out, "<style>%s</style>\n", embedded_timechart_css.text);
}

/* The maximum length of a title. Browsers and lists of pages cut longer ones. */
#define TITLE_MAX 66

static size_t title_length(const char *title)
{
	size_t n = strlen(title);

	if (n <= TITLE_MAX)
		return n;
	n = TITLE_MAX;
	/* A character must not be cut. */
	while (n && (title[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* Writes the title, which may be cut. The script shows the whole title. */
static void put_title(const struct picture_page_writer *w)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t n = title_length(w->page->title);

	escape_xml(&t, w->page->title, n);
	fputs(t.chars, w->out);
	if (w->page->title[n])
		fputs("...", w->out);
}

/*
 * Writes JSON inside of a script element. The parser of HTML looks for tags and comments in it,
 * which all begin with a character that occurs in JSON only in strings.
 */
static void put_json(const struct picture_page_writer *w, const struct text *json)
{
	const char *at = json->chars, *end = json->chars + json->length;

	while (at < end) {
		const char *next = memchr(at, '<', (size_t)(end - at));
		size_t n = (size_t)((next ? next : end) - at);

		fwrite(at, 1, n, w->out);
		at += n;
		if (next) {
			fputs("\\u003c", w->out);
			at++;
		}
	}
}

static void put_chart(const struct picture_page_writer *w)
{
	if (!w->page->chart)
		return;
	fputs("<script type=\"application/json\" id=\"chart\">", w->out);
	put_json(w, w->page->chart);
	fprintf(w->out, "</script>\n<script>%s</script>\n", embedded_timechart_js.text);
}

static void put_facts(const struct picture_page_writer *w)
{
	_cleanup_(text_done) struct text json = TEXT_EMPTY;

	page_facts_add(&json, w->page, w->tool);
	put_json(w, &json);
}

static void put_columns(const struct picture_page_writer *w)
{
	base64_write(w->out, w->page->packed.data, w->page->packed.n);
}

static void put_packed(const struct picture_page_writer *w, const struct text *json)
{
	_cleanup_(bytes_done) struct bytes packed = { 0 };

	page_pack(json->chars, json->length, &packed);
	base64_write(w->out, packed.data, packed.n);
}

static void put_lists(const struct picture_page_writer *w)
{
	_cleanup_(text_done) struct text json = TEXT_EMPTY;

	page_lists_add(&json, w->page);
	put_packed(w, &json);
}

/* Writes nothing at all if there are no listings. */
static void put_code(const struct picture_page_writer *w)
{
	_cleanup_(text_done) struct text json = TEXT_EMPTY;

	if (!w->page->functions.n)
		return;
	page_code_add(&json, w->page);
	put_packed(w, &json);
}

/* The replacements for @{name} in the skeleton. */
static const struct {
	const char *name;
	void (*put)(const struct picture_page_writer *w);
} parts[] = {
	{ "style-digest", put_style_digest },
	{ "script-digest", put_script_digest },
	{ "style", put_style },
	{ "script", put_script },
	{ "chart-style-digest", put_chart_style_digest },
	{ "chart-script-digest", put_chart_script_digest },
	{ "chart-style", put_chart_style },
	{ "chart", put_chart },
	{ "title", put_title },
	{ "facts", put_facts },
	{ "lists", put_lists },
	{ "columns", put_columns },
	{ "code", put_code },
};

static void page_put_part(const struct picture_page_writer *w, const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (!strncmp(parts[i].name, name, n) && !parts[i].name[n])
			parts[i].put(w);
}

int page_print(FILE *out, const struct page *p, const char *tool)
{
	const struct picture_page_writer w = { out, p, tool };
	const char *at = embedded_page_html.text, *next;

	/* The first failure sets errno. */
	errno = 0;
	while ((next = strstr(at, "@{"))) {
		size_t n = strcspn(next, "}");

		fwrite(at, 1, (size_t)(next - at), out);
		page_put_part(&w, next + 2, n - 2);
		at = next + n + 1;
	}
	fputs(at, out);
	if (!fflush(out) && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

static void picture_page_code_add_source(struct json *j, const struct page_row *row)
{
	json_member_unsigned(j, "s", row->line);
	json_member(j, "f", row->file);
	json_member(j, "t", row->text);
}

static void picture_page_code_add_instruction(struct json *j, const struct page_row *row)
{
	char addr[24];

	if (row->is_line)
		snprintf(addr, sizeof(addr), "%" PRIu32, row->line);
	else
		snprintf(addr, sizeof(addr), "%" PRIx64, row->addr);
	json_member(j, "a", addr);
	json_member(j, "t", row->text);
	if (row->to != PAGE_NONE)
		json_member_unsigned(j, "to", row->to);
}

static void picture_page_code_add_function(struct json *j, const struct page_function *f)
{
	json_object(j);
	json_member_unsigned(j, "name", f->name);
	json_member_unsigned(j, "object", f->object);
	json_member(j, "why", f->why);
	json_key(j, "rows");
	json_array(j);
	for (size_t i = 0; i < f->n; i++) {
		json_object(j);
		if (f->rows[i].is_source)
			picture_page_code_add_source(j, &f->rows[i]);
		else
			picture_page_code_add_instruction(j, &f->rows[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_end(j, '}');
}

void page_code_add(struct text *out, const struct page *p)
{
	struct json j;

	json_init_text(&j, out);
	j.on_line = true;
	j.colon = ":";
	json_object(&j);
	json_key(&j, "functions");
	json_array(&j);
	for (size_t i = 0; i < p->functions.n; i++)
		picture_page_code_add_function(&j, &p->functions.items[i]);
	json_end(&j, ']');
	json_end(&j, '}');
}
