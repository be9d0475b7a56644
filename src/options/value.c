/* SPDX-License-Identifier: MIT */
#include "options/value.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

int value_refuse(struct diag *diag, const struct option *o, const char *value, size_t offset,
		 size_t length, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	_cleanup_(freep) char *why = xvasprintf(format, ap);
	va_end(ap);

	char letter[] = { '-', o->letter, '\0' };
	const char *dashes = o->name ? "--" : "";
	const char *name = o->name ? o->name : o->letter ? letter : o->config;

	/* The message quotes the value, so it need not be shown again with all of it marked. */
	if (!offset && length == strlen(value))
		return diag_set(diag, -EINVAL, "%s%s: %s", dashes, name, why);
	return diag_mark(diag, -EINVAL, value, offset, length, "%s%s: %s", dashes, name, why);
}

int value_refuse_colours(struct diag *diag, const struct option *o, const char *value,
			 const char *(*name)(size_t i))
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	for (size_t i = 0; name(i); i++)
		text_addf(&names, "%s%s", i ? ", " : "", name(i));
	value_refuse(diag, o, value, 0, strlen(value), "there are no colours '%s'", value);
	diag_hint(diag, "They are one of: %s.", names.chars);
	return -EINVAL;
}

int value_parse_size(const char *value, uint64_t *ret_bytes)
{
	size_t n = strlen(value);

	/* A bare number could be bytes, pages or megabytes, so it is refused. */
	if (n && isdigit((unsigned char)value[n - 1]))
		return -EINVAL;
	return number_parse_size(value, ret_bytes);
}

bool value_abbreviates(const char *typed, const char *name)
{
	return *typed && !strncmp(typed, name, strlen(typed));
}

size_t value_word(const char *list)
{
	return strcspn(list, ",");
}

const char *value_next(const char *list)
{
	size_t n = value_word(list);

	return list[n] ? list + n + 1 : NULL;
}

int size_set(void *field, const struct option *o, const char *value, bool negated,
	     struct diag *diag)
{
	uint64_t *bytes = field;

	if (negated) {
		*bytes = 0;
		return 0;
	}
	if (value_parse_size(value, bytes) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a size", value);
		diag_hint(diag, "Write a number and its unit: 512K, 64M or 2G (or B for bytes).");
		return -EINVAL;
	}
	return 0;
}

static int value_parse_id(const char *s, size_t n, int *ret)
{
	char digits[16];
	uint64_t id;

	if (n >= sizeof(digits) || !isdigit((unsigned char)*s))
		return -EINVAL;
	memcpy(digits, s, n);
	digits[n] = '\0';
	if (digits[strspn(digits, "0123456789")] || number_parse(digits, &id) < 0 || id > INT_MAX)
		return -EINVAL;
	*ret = (int)id;
	return 0;
}

int id_list_set(void *field, const struct option *o, const char *value, bool negated,
		struct diag *diag)
{
	_cleanup_(id_list_done) struct id_list ids = { 0 };

	/* Blanks and a trailing comma come from pasted lists. */
	for (const char *s = value; !negated && *s;) {
		size_t n = strcspn(s, ", ");
		int id;

		if (n && value_parse_id(s, n, &id) < 0) {
			value_refuse(diag, o, value, (size_t)(s - value), n,
				     "'%.*s' is not a number of a process or thread", (int)n, s);
			diag_hint(diag, "Give numbers with commas between them: 1234,1240. "
					"`pgrep NAME` finds them.");
			return -EINVAL;
		}
		if (n)
			*ARRAY_ADD(&ids) = id;
		s += n;
		s += strspn(s, ", ");
	}
	if (!negated && !ids.n)
		return value_refuse(diag, o, value, 0, 0, "there is no number in the list");

	struct id_list *list = field;

	id_list_done(list);
	*list = ids;
	ids = (struct id_list){ 0 };
	return 0;
}

int cpu_list_set(void *field, const struct option *o, const char *value, bool negated,
		 struct diag *diag)
{
	struct cpu_list cpus = { 0 };
	int r = negated ? 0 : cpu_list_parse(value, &cpus);

	if (r < 0 || (!negated && !cpus.n)) {
		value_refuse(
			diag, o, value, 0, strlen(value), "'%s' is not a list of CPUs%s", value,
			r == -ERANGE ? " (a range runs backwards, or a number is too large)" : "");
		diag_hint(diag, "Give numbers and ranges with commas between them: 0,2-3.");
		return -EINVAL;
	}
	cpu_list_done(field);
	*(struct cpu_list *)field = cpus;
	return 0;
}

int regex_set(void *field, const struct option *o, const char *value, bool negated,
	      struct diag *diag)
{
	const char **pattern = field;
	regex_t regex;

	if (negated) {
		*pattern = NULL;
		return 0;
	}

	int error = regcomp(&regex, value, REG_EXTENDED);

	if (error) {
		char why[128];

		regerror(error, &regex, why, sizeof(why));
		return value_refuse(diag, o, value, 0, strlen(value),
				    "not a regular expression: %s", why);
	}
	regfree(&regex);
	*pattern = value;
	return 0;
}
