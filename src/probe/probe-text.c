/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-parser.h"

char *probe_point_text(const struct probe_point *p)
{
	struct text t = TEXT_EMPTY;

	if (p->has_address)
		text_addf(&t, "0x%" PRIx64, p->address);
	if (p->function)
		text_add(&t, p->function);
	if (p->offset)
		text_addf(&t, "+%" PRIu64, p->offset);
	if (p->function && p->has_line)
		text_addf(&t, ":%u", p->line);
	if (p->is_return)
		text_add(&t, "%return");
	if (p->file)
		text_addf(&t, "@%s", p->file);
	if (!p->function && p->has_line)
		text_addf(&t, ":%u", p->line);
	return text_take(&t);
}

static void probe_text_add_field(struct text *t, const struct probe_field *f)
{
	if (f->name)
		text_addf(t, "%s%s", f->is_arrow ? "->" : ".", f->name);
	else
		text_addf(t, "[%" PRId64 "]", f->index);
}

char *probe_arg_text(const struct probe_arg *a)
{
	struct text t = TEXT_EMPTY;
	_cleanup_(freep) char *own = a->n_fields ? probe_arg_name(a) : NULL;
	const char *name = a->name ? a->name : own;

	if (name)
		text_addf(&t, "%s=", name);
	text_add(&t, a->what);
	for (size_t i = 0; i < a->n_fields; i++)
		probe_text_add_field(&t, &a->fields[i]);
	if (a->type)
		text_addf(&t, ":%s", a->type);
	return text_take(&t);
}

/* Returns the last component of a C++ name. */
static const char *last_part(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon ? colon + 1 : name;
}

/*
 * Returns the name of a variable with a type. It is named after both, so that `buf buf:string`
 * gives two names. Of a type such as b3@0/32 or u8[4], only the part that a name may have is used:
 * b3, u8.
 */
static char *probe_text_typed_name(const struct probe_arg *a)
{
	size_t length = 0;

	while (isalnum((unsigned char)a->type[length]))
		length++;
	return xasprintf("%s_%.*s", last_part(a->what), (int)length, a->type);
}

/* Returns the variable's own name, or that of its last member. */
static char *probe_text_own_name(const struct probe_arg *a)
{
	for (size_t i = a->n_fields; i > 0; i--)
		if (a->fields[i - 1].name)
			return xstrdup(a->fields[i - 1].name);
	return a->type && !a->n_fields ? probe_text_typed_name(a) : xstrdup(last_part(a->what));
}

char *probe_arg_name(const struct probe_arg *a)
{
	if (a->name)
		return xstrdup(a->name);
	if (!a->is_variable)
		return NULL;

	char *name = probe_text_own_name(a);

	if (strlen(name) > PROBE_ARG_NAME_MAX)
		name[PROBE_ARG_NAME_MAX] = '\0';
	return name;
}
