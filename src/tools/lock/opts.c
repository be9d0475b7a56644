/* SPDX-License-Identifier: MIT */
#include "tools/lock/opts.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "options/input.h"
#include "options/record-line.h"
#include "options/value.h"
#include "options/verbosity.h"

const struct option lock_options[] = {
	OPT_INPUT(struct lock_opts, input),
	OPT_STRING(0, "output", struct lock_opts, output, "file",
		   "write the table into this file (default: standard error)",
		   .flags = OPTION_WRITES),
	OPT_FORCE(struct lock_opts, force),
	OPT_DUMP_RAW(struct lock_opts, dump_raw),
	OPT_STRING(0, "vmlinux", struct lock_opts, symbols.vmlinux, "file",
		   "take kernel symbols from this vmlinux", .flags = OPTION_READS),
	OPT_STRING(0, "kallsyms", struct lock_opts, symbols.kallsyms, "file",
		   "take kernel symbols from this copy of /proc/kallsyms", .flags = OPTION_READS),
	OPT_COUNT('v', "verbose", struct lock_opts, verbose,
		  "show stacks, and what could not be matched"),
	OPT_QUIET(struct lock_opts, quiet),
	OPT_END,
};

void lock_forward(const struct lock_opts *o, struct record_line *l)
{
	if (o->input) {
		record_line_add(l, "-i");
		record_line_add(l, o->input);
	}
	if (o->force)
		record_line_add(l, "-f");
	if (o->dump_raw)
		record_line_add(l, "-D");
	if (o->symbols.kallsyms) {
		record_line_add(l, "--kallsyms");
		record_line_add(l, o->symbols.kallsyms);
	}
	if (o->symbols.vmlinux) {
		record_line_add(l, "--vmlinux");
		record_line_add(l, o->symbols.vmlinux);
	}
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(l, "-v");
}

static const enum lock_field all_fields[] = {
	LOCK_FIELD_ACQUIRED,   LOCK_FIELD_CONTENDED, LOCK_FIELD_AVG_WAIT,
	LOCK_FIELD_WAIT_TOTAL, LOCK_FIELD_WAIT_MAX,  LOCK_FIELD_WAIT_MIN,
};

/* Finds the field whose name is the @length characters at @at of @value. */
static int lock_opts_find_field(const struct option *o, const char *value, size_t at, size_t length,
				bool waits_only, enum lock_field *ret, struct diag *diag)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	for (size_t i = waits_only; i < ARRAY_SIZE(all_fields); i++) {
		const char *name = lock_field_name(all_fields[i]);

		if (strlen(name) == length && !memcmp(name, value + at, length)) {
			*ret = all_fields[i];
			return 0;
		}
		text_addf(&names, "%s%s", names.length ? ", " : "", name);
	}
	value_refuse(diag, o, value, at, length, "'%.*s' is not a field", (int)length, value + at);
	diag_hint(diag, "There are: %s", names.chars);
	return -EINVAL;
}

static int set_key(void *field, const struct option *o, const char *value, bool waits_only,
		   struct diag *diag)
{
	return lock_opts_find_field(o, value, 0, strlen(value), waits_only, field, diag);
}

static int set_columns(void *field, const struct option *o, const char *value, bool waits_only,
		       struct diag *diag)
{
	struct lock_columns columns = { 0 };
	enum lock_field f;

	for (const char *word = value; word; word = value_next(word)) {
		int r = lock_opts_find_field(o, value, (size_t)(word - value), value_word(word),
					     waits_only, &f, diag);

		if (r < 0)
			return r;
		lock_columns_add(&columns, f);
	}
	*(struct lock_columns *)field = columns;
	return 0;
}

int lock_key_set(void *field, const struct option *o, const char *value, bool negated,
		 struct diag *diag)
{
	(void)negated;
	return set_key(field, o, value, false, diag);
}

int lock_wait_key_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)negated;
	return set_key(field, o, value, true, diag);
}

int lock_columns_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	(void)negated;
	return set_columns(field, o, value, false, diag);
}

int lock_wait_columns_set(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	(void)negated;
	return set_columns(field, o, value, true, diag);
}
