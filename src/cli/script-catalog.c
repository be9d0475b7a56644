/* SPDX-License-Identifier: MIT */
#include "cli/script-catalog.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/similar.h"

/* More than a shell script of a few lines needs. */
#define REPORT_SIZE_MAX (64 * 1024)

#define RECORD_SUFFIX "-record"
#define REPORT_SUFFIX "-report"

static const struct {
	enum script_language language;
	const char *folder;
} languages[] = {
	{ SCRIPT_PYTHON, "scripts/python/bin" },
	{ SCRIPT_PERL, "scripts/perl/bin" },
};

static void script_done(struct named_script *s)
{
	free(s->name);
	free(s->description);
	free(s->arguments);
	free(s->record);
	free(s->report);
}

void named_scripts_done(struct named_scripts *c)
{
	for (size_t i = 0; i < c->n; i++)
		script_done(&c->items[i]);
	free(c->items);
	*c = (struct named_scripts){ 0 };
}

static bool script_catalog_is_blank(char c)
{
	return isspace((unsigned char)c);
}

static void script_catalog_trim(const char **at, size_t *n)
{
	while (*n && script_catalog_is_blank(**at))
		(*at)++, (*n)--;
	while (*n && script_catalog_is_blank((*at)[*n - 1]))
		(*n)--;
}

/* Finds the text after @key in a line that is "# KEY: text", where the blank may be missing. */
static bool header_value(const char *line, size_t n, const char *key, const char **at, size_t *ret)
{
	size_t k = strlen(key);

	if (!n || line[0] != '#')
		return false;
	line++, n--;
	script_catalog_trim(&line, &n);
	if (n < k || memcmp(line, key, k) != 0)
		return false;
	*at = line + k;
	*ret = n - k;
	script_catalog_trim(at, ret);
	return true;
}

static void script_catalog_replace(char **text, const char *with, size_t n)
{
	free(*text);
	*text = xstrndup(with, n);
}

/*
 * True for `perf script $@ -s x.py $comm`, as opposed to `perf script -s x.py $@`: then the last
 * words are options for perf.
 */
static bool hands_options_behind(const char *line, size_t n)
{
	const char *words = memmem(line, n, "$@", 2);
	const char *script = memmem(line, n, " -s ", 4);

	return memmem(line, n, "perf script", 11) && words && script && words < script;
}

static void script_catalog_read_line(const char *line, size_t n, struct named_script *s)
{
	const char *value;
	size_t length;

	if (header_value(line, n, "description:", &value, &length))
		script_catalog_replace(&s->description, value, length);
	else if (header_value(line, n, "args:", &value, &length))
		script_catalog_replace(&s->arguments, value, length);
	else if (hands_options_behind(line, n))
		s->options_behind = true;
}

void named_script_read_header(const char *bytes, size_t size, struct named_script *ret)
{
	script_catalog_replace(&ret->description, "", 0);
	script_catalog_replace(&ret->arguments, "", 0);
	ret->options_behind = false;
	while (size) {
		const char *end = memchr(bytes, '\n', size);
		size_t n = end ? (size_t)(end - bytes) : size;

		script_catalog_read_line(bytes, n, ret);
		n += end != NULL;
		bytes += n;
		size -= n;
	}
}

/* Returns NAME of "NAME-report", to be freed; NULL: the name has another form. */
static char *script_catalog_name_of(const char *file)
{
	size_t n = strlen(file), suffix = strlen(REPORT_SUFFIX);

	if (n <= suffix || strcmp(file + n - suffix, REPORT_SUFFIX) != 0)
		return NULL;
	return xstrndup(file, n - suffix);
}

static void script_catalog_add_script(struct named_scripts *c, enum script_language language,
				      const char *folder, char *name)
{
	_cleanup_(freep) char *bytes = NULL;
	char *report = xasprintf("%s/%s" REPORT_SUFFIX, folder, name);
	char *record = xasprintf("%s/%s" RECORD_SUFFIX, folder, name);
	struct named_script *s;
	size_t size;

	if (file_read(AT_FDCWD, report, REPORT_SIZE_MAX, &bytes, &size) < 0) {
		free(report);
		free(record);
		free(name);
		return;
	}
	s = ARRAY_ADD(c);
	s->name = name;
	s->language = language;
	s->report = report;
	named_script_read_header(bytes, size, s);
	if (access(record, R_OK) == 0)
		s->record = record;
	else
		free(record);
}

static int script_catalog_read_folder(struct named_scripts *c, enum script_language language,
				      const char *folder)
{
	_cleanup_(name_list_done) struct name_list files = { 0 };
	int r = name_list_read(AT_FDCWD, folder, false, &files);

	if (r < 0)
		return r == -ENOENT || r == -ENOTDIR ? 0 : r;
	for (size_t i = 0; i < files.n; i++) {
		char *name = script_catalog_name_of(files.items[i]);

		if (name)
			script_catalog_add_script(c, language, folder, name);
	}
	return 0;
}

static int script_catalog_by_name(const void *a, const void *b)
{
	const struct named_script *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->language - (int)y->language;
}

int named_scripts_read(const char *exec_path, struct named_scripts *ret)
{
	_cleanup_(named_scripts_done) struct named_scripts c = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		_cleanup_(freep) char *folder = xasprintf("%s/%s", exec_path, languages[i].folder);
		int r = script_catalog_read_folder(&c, languages[i].language, folder);

		if (r < 0)
			return r;
	}
	if (c.n)
		qsort(c.items, c.n, sizeof(*c.items), script_catalog_by_name);
	*ret = c;
	c = (struct named_scripts){ 0 };
	return 0;
}

const struct named_script *named_scripts_find(const struct named_scripts *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->items[i].name, name))
			return &c->items[i];
	return NULL;
}

char *named_scripts_similar(const struct named_scripts *c, const char *typed)
{
	struct similar near = { .typed = typed };

	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].language == SCRIPT_PYTHON)
			similar_add(&near, c->items[i].name);
	return similar_phrase(&near);
}

/*
 * Finds the next word of the @size bytes from *@at on, without quotes. Returns its length, 0: there
 * is none.
 */
static size_t script_catalog_next_word(const char *bytes, size_t size, size_t *at, const char **ret)
{
	static const char between[] = " \t\n\\'\"";
	size_t end;

	while (*at < size && (!bytes[*at] || strchr(between, bytes[*at])))
		(*at)++;
	for (end = *at; end < size && bytes[end] && !strchr(between, bytes[end]); end++)
		;
	*ret = bytes + *at;
	*at = end;
	return (size_t)(bytes + end - *ret);
}

static void script_catalog_add_events(const char *word, size_t n, struct name_list *ret)
{
	while (n) {
		const char *comma = memchr(word, ',', n);
		size_t length = comma ? (size_t)(comma - word) : n;
		_cleanup_(freep) char *name = xstrndup(word, length);

		if (length)
			name_list_add(ret, name);
		length += comma != NULL;
		word += length;
		n -= length;
	}
}

void named_script_read_events(const char *bytes, size_t size, struct name_list *ret)
{
	bool is_event = false;
	const char *word;
	size_t at = 0, n;

	while ((n = script_catalog_next_word(bytes, size, &at, &word))) {
		if (is_event)
			script_catalog_add_events(word, n, ret);
		is_event = n == 2 && !memcmp(word, "-e", 2);
	}
}

int named_script_events(const struct named_script *s, struct name_list *ret)
{
	_cleanup_(freep) char *bytes = NULL;
	size_t size;

	if (!s->record || file_read(AT_FDCWD, s->record, REPORT_SIZE_MAX, &bytes, &size) < 0)
		return -ENOENT;
	named_script_read_events(bytes, size, ret);
	return ret->n ? 0 : -ENOENT;
}

size_t named_script_required(const struct named_script *s)
{
	size_t n = 0;

	for (const char *at = s->arguments; (at = strchr(at, '<')) != NULL; at++)
		n++;
	return n;
}

bool named_script_takes_word(const struct named_script *s, const char *word)
{
	const char *at = s->arguments;

	while ((at = strchr(at, '[')) != NULL) {
		size_t n = strcspn(++at, "]");

		/* "dev=" is the beginning of a word. */
		if (n && !strncmp(word, at, n) && (!word[n] || at[n - 1] == '='))
			return true;
	}
	return false;
}

bool named_script_is_top(const struct named_script *s)
{
	size_t n = strlen(s->name);

	return n >= 3 && !strcmp(s->name + n - 3, "top");
}
