/* SPDX-License-Identifier: MIT */
#include "probe/event-name.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-def.h"

/* The kernel's MAX_EVENT_NAME_LEN, without the NUL. */
#define NAME_LENGTH_MAX 63

/* Linux's perf tries the same number of names. */
#define NUMBER_MAX 1024

static bool event_name_is_good(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

char *event_group_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t length = 0;

	while (event_name_is_good(name[length]))
		length++;
	return xasprintf("probe_%.*s",
			 (int)(length < NAME_LENGTH_MAX - 6 ? length : NAME_LENGTH_MAX - 6), name);
}

/*
 * Appends @function without the endings of compilers and linkers (foo.isra.0, foo@GLIBC_2.17) and
 * without leading dots. Each run of characters that a name may not have becomes one _:
 * "ns::Box<int>" is "ns_Box_int".
 */
static void event_name_add_function(struct text *t, const char *function)
{
	const char *start = function + strspn(function, ".");
	const char *end = start + strcspn(start, ".@");
	bool is_gap = false;

	for (const char *c = start; c < end; c++) {
		if (!event_name_is_good(*c)) {
			is_gap = t->length > 0;
			continue;
		}
		if (is_gap || (!t->length && isdigit((unsigned char)*c)))
			text_add_char(t, '_');
		is_gap = false;
		text_add_char(t, *c);
	}
}

static char *event_name_suffix(const struct probe_def *d)
{
	struct text t = TEXT_EMPTY;

	if (!d->event && d->point.function && d->point.has_line)
		text_addf(&t, "_L%u", d->point.line);
	if (d->point.is_return)
		text_add(&t, "__return");
	return text_take(&t);
}

/* Returns @name followed by @end. A name that is too long is cut, but never @end. */
static char *event_name_joined(const char *name, const char *end)
{
	size_t room = NAME_LENGTH_MAX - strlen(end);

	return xasprintf("%.*s%s", (int)room, name, end);
}

char *event_base_name(const struct probe_def *d, const char *function)
{
	struct text t = TEXT_EMPTY;
	_cleanup_(freep) char *end = event_name_suffix(d);

	if (d->event)
		text_add(&t, d->event);
	else if (d->point.has_address)
		text_addf(&t, "abs_%" PRIx64, d->point.address);
	else if (function)
		event_name_add_function(&t, function);
	if (!t.length)
		text_add(&t, "probe");

	char *name = event_name_joined(t.chars, end);

	text_done(&t);
	return name;
}

static bool event_name_is_taken(const char *group, const char *event, const struct name_list *taken)
{
	_cleanup_(freep) char *name = xasprintf("%s:%s", group, event);

	for (size_t i = 0; i < taken->n; i++)
		if (strcmp(taken->items[i], name) == 0)
			return true;
	return false;
}

int event_free_name(const char *group, const char *base, const struct name_list *taken,
		    bool may_number, char **ret, struct diag *diag)
{
	_cleanup_(freep) char *name = xstrdup(base);

	for (unsigned i = 1; event_name_is_taken(group, name, taken); i++) {
		if (!may_number) {
			diag_set(diag, -EEXIST, "Error: event \"%s\" already exists.", base);
			diag_hint(diag, "Remove existing event by 'perf probe -d %s:%s'", group,
				  base);
			diag_hint(diag, "or force duplicates by 'perf probe -f'");
			return -EEXIST;
		}
		if (i == NUMBER_MAX)
			return diag_set(diag, -EEXIST, "there are %d events called %s:%s already",
					NUMBER_MAX, group, base);

		char end[16];

		snprintf(end, sizeof(end), "_%u", i);
		free(name);
		name = event_name_joined(base, end);
	}
	*ret = TAKE(name);
	return 0;
}
