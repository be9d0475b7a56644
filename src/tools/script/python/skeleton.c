/* SPDX-License-Identifier: MIT */
#include "tools/script/python/skeleton.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/script/plan-names-model.h"
#include "tracepoint/format.h"

#define LINE_MAX_CHARS 92

static const char opening[] =
	"# Handlers for the events of a recording, written by perf script -g python.\n"
	"# Change it as you like, and run it with: perf script -s perf-script.py\n"
	"#\n"
	"# Parameters that begin with common_ are the same for all events. Further ones of each\n"
	"# record come from the functions common_*(context) of perf_trace_context.\n"
	"# perf_sample_dict['sample'] has the sample itself: time, period, registers and so on.\n"
	"\n"
	"import os\n"
	"import sys\n"
	"\n"
	"sys.path.append(os.environ['PERF_EXEC_PATH'] +\n"
	"\t'/scripts/python/Perf-Trace-Util/lib/Perf/Trace')\n"
	"\n"
	"from perf_trace_context import *\n"
	"from Core import *\n"
	"\n"
	"\n"
	"def trace_begin():\n"
	"\tprint(\"in trace_begin\")\n"
	"\n"
	"def trace_end():\n"
	"\tprint(\"in trace_end\")\n"
	"\n";

/* For events other than tracepoints. */
static const char general_handler[] =
	"def process_event(param_dict):\n"
	"\tsample = param_dict['sample']\n"
	"\tprint_header(param_dict['ev_name'], sample['cpu'], sample['time'] // 1000000000,\n"
	"\t\tsample['time'] % 1000000000, sample['pid'], param_dict['comm'])\n"
	"\tprint(\"%x %s (%s)\" % (sample['ip'], param_dict.get('symbol', '[unknown]'),\n"
	"\t\tparam_dict.get('dso', '[unknown]')))\n"
	"\tprint('param_dict: {' + get_dict_as_string(param_dict, ', ') + '}')\n"
	"\tprint_callchain(param_dict['callchain'])\n"
	"\tprint()\n"
	"\n";

/*
 * For tracepoints without a handler of their own, and the functions that the handlers above share.
 */
static const char closing[] =
	"def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):\n"
	"\tprint(get_dict_as_string(event_fields_dict))\n"
	"\tprint_sample(perf_sample_dict)\n"
	"\n"
	"def print_header(event_name, cpu, secs, nsecs, pid, comm):\n"
	"\tprint(\"%-20s %5u %05u.%09u %8u %-20s \" %\n"
	"\t\t(event_name, cpu, secs, nsecs, pid, comm), end=\"\")\n"
	"\n"
	"def print_sample(perf_sample_dict):\n"
	"\tprint('Sample: {' + get_dict_as_string(perf_sample_dict['sample'], ', ') + '}')\n"
	"\n"
	"def print_callchain(callchain):\n"
	"\tfor node in callchain:\n"
	"\t\tif 'sym' not in node:\n"
	"\t\t\tprint(\"\\t[%x]\" % node['ip'])\n"
	"\t\t\tcontinue\n"
	"\t\tprint(\"\\t[%x] %s%s%s%s\" % (node['ip'], node['sym']['name'],\n"
	"\t\t\t\"+0x{:x}\".format(node['sym_off']) if 'sym_off' in node else \"\",\n"
	"\t\t\t\" ({})\".format(node['dso']) if 'dso' in node else \"\",\n"
	"\t\t\t\" \" + node['sym_srcline'] if 'sym_srcline' in node else \"\"))\n"
	"\n"
	"def get_dict_as_string(a_dict, delimiter=' '):\n"
	"\treturn delimiter.join('%s=%s' % (k, str(v)) for k, v in sorted(a_dict.items()))\n";

/* keyword.kwlist of Python 3. */
static const char *const keywords[] = {
	"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
	"class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
	"from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
	"or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

/* The names that a handler uses. A field with such a name must be renamed. */
static const char *const taken[] = {
	"event_name",   "context",      "common_cpu",       "common_secs",      "common_nsecs",
	"common_pid",   "common_comm",  "common_callchain", "perf_sample_dict", "print",
	"print_header", "print_sample", "print_callchain",  "flag_str",         "symbol_str",
};

static bool python_skeleton_is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

bool python_is_identifier(const char *name)
{
	if (!*name || isdigit((unsigned char)*name))
		return false;
	for (const char *c = name; *c; c++)
		if (!isascii(*c) || (!isalnum((unsigned char)*c) && *c != '_'))
			return false;
	return !python_skeleton_is_one_of(name, keywords, ARRAY_SIZE(keywords));
}

/* Words, separated by commas, in lines of at most LINE_MAX_CHARS. */
struct wrapped {
	struct text text;
	size_t line; /* the beginning of the last line */
	const char *indent;
};

/* Returns the width. A tab counts as eight columns. */
static size_t python_skeleton_columns(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\t' ? 8 : 1;
	return n;
}

static void wrapped_add(struct wrapped *w, const char *word, const char *end)
{
	size_t used = python_skeleton_columns(w->text.chars + w->line);
	char last = w->text.length ? w->text.chars[w->text.length - 1] : '(';

	if (last == '(' || last == '\t') {
		text_add(&w->text, word);
	} else if (used + 1 + strlen(word) + strlen(end) > LINE_MAX_CHARS) {
		text_add_char(&w->text, '\n');
		w->line = w->text.length;
		text_add(&w->text, w->indent);
		text_add(&w->text, word);
	} else {
		text_add_char(&w->text, ' ');
		text_add(&w->text, word);
	}
	text_add(&w->text, end);
}

/* Appends the handler's name for field @i: its own name, unless that is taken in Python. */
static void field_name(const struct tracepoint_format *f, size_t i, struct text *out)
{
	const char *name = f->fields[i].name;
	bool is_again = false;

	for (size_t k = 0; k < i && !is_again; k++)
		is_again = !f->fields[k].is_common && strcmp(f->fields[k].name, name) == 0;
	text_clear(out);
	if (python_skeleton_is_one_of(name, keywords, ARRAY_SIZE(keywords)) ||
	    python_skeleton_is_one_of(name, taken, ARRAY_SIZE(taken)))
		text_addf(out, "%s_", name);
	else if (is_again || !python_is_identifier(name))
		text_addf(out, "field_%zu", i);
	else
		text_add(out, name);
}

static bool python_skeleton_is_number(const struct tracepoint_field *f)
{
	return !f->is_array && !f->is_string && !f->is_dynamic && !f->is_rel_dynamic &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static const char *conversion_of(const struct tracepoint_field *f, bool is_named)
{
	if (is_named || !python_skeleton_is_number(f))
		return "%s";
	return f->is_signed ? "%d" : "%u";
}

/* Appends the expression with which the handler prints field @i. */
static void python_skeleton_add_value(const struct skeleton_event *e, const char *name, size_t i,
				      struct text *out)
{
	struct named_field named;

	text_clear(out);
	if (e->plan && python_is_identifier(e->format->fields[i].name) &&
	    plan_named_field_find(e->plan, e->format->fields[i].name, &named))
		text_addf(out, "%s(\"%s__%s\", \"%s\", %s)",
			  named.is_flags ? "flag_str" : "symbol_str", e->system, e->name,
			  e->format->fields[i].name, name);
	else
		text_add(out, name);
}

static size_t own_fields(const struct tracepoint_format *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_fields; i++)
		n += !f->fields[i].is_common;
	return n;
}

static void print_parameters(const struct skeleton_event *e, FILE *out)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	struct wrapped w = { .text = TEXT_EMPTY, .indent = "\t\t" };
	static const char *const common[] = { "event_name",  "context",         "common_cpu",
					      "common_secs", "common_nsecs",    "common_pid",
					      "common_comm", "common_callchain" };

	text_addf(&w.text, "def %s__%s(", e->system, e->name);
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		wrapped_add(&w, common[i], ",");
	for (size_t i = 0; i < e->format->n_fields; i++) {
		if (e->format->fields[i].is_common)
			continue;
		field_name(e->format, i, &name);
		wrapped_add(&w, name.chars, ",");
	}
	wrapped_add(&w, "perf_sample_dict", "):");
	fprintf(out, "%s\n", w.text.chars);
	text_done(&w.text);
}

/* Prints "a=%d, b=%s". Each line of it is a string of its own, which Python joins. */
static void print_template(const struct skeleton_event *e, FILE *out)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	const struct tracepoint_format *f = e->format;
	size_t column = 0, left = own_fields(f);
	struct named_field named;

	fputs("\tprint(\"", out);
	for (size_t i = 0; i < f->n_fields; i++) {
		if (f->fields[i].is_common)
			continue;
		field_name(f, i, &name);
		if (column && column + name.length + 5 > LINE_MAX_CHARS - 24) {
			fputs("\"\n\t\t\"", out);
			column = 0;
		}
		column += (size_t)fprintf(
			out, "%s=%s%s", name.chars,
			conversion_of(&f->fields[i],
				      e->plan && plan_named_field_find(e->plan, f->fields[i].name,
								       &named)),
			--left ? ", " : "");
	}
	fputs("\" % (\n", out);
}

static void print_values(const struct skeleton_event *e, FILE *out)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY, value = TEXT_EMPTY;
	struct wrapped w = { .text = TEXT_EMPTY, .indent = "\t\t" };

	text_add(&w.text, w.indent);
	for (size_t i = 0; i < e->format->n_fields; i++) {
		if (e->format->fields[i].is_common)
			continue;
		field_name(e->format, i, &name);
		python_skeleton_add_value(e, name.chars, i, &value);
		wrapped_add(&w, value.chars, ",");
	}
	fprintf(out, "%s))\n", w.text.chars);
	text_done(&w.text);
}

static void print_handler(const struct skeleton_event *e, FILE *out)
{
	print_parameters(e, out);
	fputs("\tprint_header(event_name, common_cpu, common_secs, common_nsecs, common_pid,\n"
	      "\t\tcommon_comm)\n",
	      out);
	if (own_fields(e->format)) {
		print_template(e, out);
		print_values(e, out);
	} else {
		fputs("\tprint()\n", out);
	}
	fputs("\tprint_sample(perf_sample_dict)\n"
	      "\tprint_callchain(common_callchain)\n"
	      "\tprint()\n\n",
	      out);
}

static bool python_skeleton_is_same(const struct skeleton_event *a, const struct skeleton_event *b)
{
	return strcmp(a->system, b->system) == 0 && strcmp(a->name, b->name) == 0;
}

static bool python_skeleton_is_wanted(const struct skeleton *s, size_t i)
{
	const struct skeleton_event *e = &s->events[i];
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	for (size_t k = 0; k < i; k++)
		if (python_skeleton_is_same(&s->events[k], e))
			return false;
	text_addf(&name, "%s__%s", e->system, e->name);
	return python_is_identifier(name.chars);
}

void python_skeleton_print(const struct skeleton *s, FILE *out)
{
	fputs(opening, out);
	for (size_t i = 0; i < s->n_events; i++)
		if (python_skeleton_is_wanted(s, i))
			print_handler(&s->events[i], out);
	if (s->others)
		fputs(general_handler, out);
	fputs(closing, out);
}
