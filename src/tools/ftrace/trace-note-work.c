/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/trace-note-work.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#define HEAD "perf-ftrace 1 "

/* No file that a note may name has a longer name, and no number has more digits. */
#define WORD_MAX 100

void trace_note_done(struct trace_note *n)
{
	for (size_t i = 0; i < n->n; i++) {
		free(n->items[i].file);
		free(n->items[i].text);
	}
	free(n->items);
	free(n->boot);
	*n = (struct trace_note){ 0 };
}

void trace_note_format_head(pid_t pid, const char *boot, struct text *out)
{
	text_addf(out, HEAD "%d %s\n", (int)pid, boot);
}

void trace_note_format(const struct trace_original *o, struct text *out)
{
	text_addf(out, "%s %zu\n%s\n", o->file, strlen(o->text), o->text);
}

/*
 * Returns the word at *@at that ends with @end, and moves *@at past @end. NULL: there is no such
 * word.
 */
static char *ftrace_trace_note_take_word(const char **at, const char *limit, char end)
{
	size_t left = (size_t)(limit - *at), room = left < WORD_MAX ? left : WORD_MAX;
	const char *stop = memchr(*at, end, room);
	char *word;

	if (!stop || stop == *at)
		return NULL;
	word = xstrndup(*at, (size_t)(stop - *at));
	*at = stop + 1;
	return word;
}

static int ftrace_trace_note_take_number(const char **at, const char *limit, char end,
					 uint64_t *ret)
{
	_cleanup_(freep) char *word = ftrace_trace_note_take_word(at, limit, end);

	return word ? number_parse(word, ret) : -EBADMSG;
}

static int trace_note_take_head(const char **at, const char *limit, struct trace_note *n)
{
	size_t length = strlen(HEAD);
	uint64_t pid;

	if ((size_t)(limit - *at) < length || memcmp(*at, HEAD, length) != 0)
		return -EBADMSG;
	*at += length;
	if (ftrace_trace_note_take_number(at, limit, ' ', &pid) < 0 || pid > INT32_MAX)
		return -EBADMSG;
	n->pid = (pid_t)pid;
	n->boot = ftrace_trace_note_take_word(at, limit, '\n');
	return n->boot ? 0 : -EBADMSG;
}

/*
 * True if @file looks like the name of a setting. Such a path does not lead out of the directory.
 */
static bool is_setting(const char *file)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-/";

	return file[strspn(file, letters)] == '\0' && *file != '/';
}

/* Returns > 0 if there is an entry, and 0 if the text ends within it. */
static int trace_note_take_entry(const char **at, const char *limit, struct trace_note *n)
{
	_cleanup_(freep) char *file = ftrace_trace_note_take_word(at, limit, ' ');
	uint64_t length;

	if (!file || ftrace_trace_note_take_number(at, limit, '\n', &length) < 0 ||
	    length >= (size_t)(limit - *at))
		return 0;
	if (!is_setting(file))
		return -EBADMSG;
	*ARRAY_ADD(n) = (struct trace_original){ .file = TAKE(file),
						 .text = xstrndup(*at, (size_t)length) };
	*at += length + 1;
	return 1;
}

int trace_note_parse(const char *bytes, size_t size, struct trace_note *ret)
{
	const char *at = bytes, *limit = bytes + size;
	struct trace_note n = { 0 };
	int r = trace_note_take_head(&at, limit, &n);

	while (r >= 0) {
		r = trace_note_take_entry(&at, limit, &n);
		if (r == 0)
			break;
	}
	if (r < 0)
		trace_note_done(&n);
	else
		*ret = n;
	return r;
}
