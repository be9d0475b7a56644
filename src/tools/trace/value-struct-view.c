/* SPDX-License-Identifier: MIT */
/* Decodes structs, member by member, with a layout from our tables or from BTF. */
#include <string.h>
#include <sys/stat.h>

#include "tools/trace/value-out-view.h"

#define DEPTH_MAX    6  /* the maximum depth of nested structs */
#define ELEMENTS_MAX 64 /* the number of shown elements of an array */

/* Returns the name of a special number: of struct rlimit, or of struct timespec (utimensat(2)). */
static const char *special_name(const struct struct_member *m, uint64_t v, const char **prefix)
{
	*prefix = m->name[0] == 'r' ? "RLIM_" : "UTIME_";
	if (!strncmp(m->name, "rlim_", 5) && v == (m->bytes == 4 ? UINT32_MAX : UINT64_MAX))
		return "INFINITY";
	if (strcmp(m->name, "tv_nsec"))
		return NULL;
	return v == UTIME_NOW ? "NOW" : v == UTIME_OMIT ? "OMIT" : NULL;
}

static void trace_value_struct_number(struct value_out *o, const struct struct_member *m,
				      const struct value_word *w)
{
	const char *prefix, *name = special_name(m, w->value, &prefix);

	if (name)
		out_name(o, prefix, name);
	else if (m->is_signed)
		out_signed(o, value_sign(w->value, m->bytes));
	else
		out_word(o, w);
}

static void trace_value_struct_member_value(struct value_out *o, const struct struct_member *m,
					    const uint8_t *bytes)
{
	struct value_word w = { .value = value_load(bytes, m->bytes),
				.kind = m->kind,
				.bytes = m->bytes,
				.values = m->values };

	if (m->kind == ARG_STRUCT && m->layout && o->depth < DEPTH_MAX)
		out_struct(o, m->layout, bytes, m->layout->size);
	else if (m->kind == ARG_SIGSET)
		out_sigset(o, bytes, m->bytes);
	else if (m->kind == ARG_UNSIGNED || m->kind == ARG_INT)
		trace_value_struct_number(o, m, &w);
	else
		out_word(o, &w);
}

/* Returns the size of one element of @m. */
static size_t element_bytes(const struct struct_member *m)
{
	return m->kind == ARG_STRUCT && m->layout ? m->layout->size : m->bytes;
}

static bool is_characters(const struct struct_member *m)
{
	return m->kind == ARG_PATH || m->kind == ARG_STRING || m->kind == ARG_BUFFER;
}

static void trace_value_struct_characters(struct value_out *o, const struct struct_member *m,
					  const uint8_t *bytes)
{
	size_t n = (size_t)m->bytes * (m->count ? m->count : 1);

	if (m->kind == ARG_BUFFER)
		out_buffer(o, bytes, n, false);
	else
		out_string(o, bytes, strnlen((const char *)bytes, n), false);
}

static void trace_value_struct_array(struct value_out *o, const struct struct_member *m,
				     const uint8_t *bytes)
{
	size_t n = m->count < ELEMENTS_MAX ? m->count : ELEMENTS_MAX;

	out_array_begin(o);
	for (size_t i = 0; i < n; i++) {
		out_element(o);
		trace_value_struct_member_value(o, m, bytes + i * element_bytes(m));
	}
	out_array_end(o, n < m->count);
}

static void write_member(struct value_out *o, const struct struct_member *m, const uint8_t *bytes)
{
	out_member(o, m->name);
	if (is_characters(m))
		trace_value_struct_characters(o, m, bytes);
	else if (m->count > 1)
		trace_value_struct_array(o, m, bytes);
	else
		trace_value_struct_member_value(o, m, bytes);
}

void out_struct(struct value_out *o, const struct struct_layout *l, const uint8_t *bytes, size_t n)
{
	o->depth++;
	out_struct_begin(o);
	for (size_t i = 0; i < l->n; i++) {
		const struct struct_member *m = &l->members[i];
		size_t size = element_bytes(m) * (m->count ? m->count : 1);

		if ((m->is_shown || o->style->shows_all) && m->offset + size <= n)
			write_member(o, m, bytes + m->offset);
	}
	out_struct_end(o, false);
	o->depth--;
}

void out_structs(struct value_out *o, const struct struct_layout *l, const struct call_data *d)
{
	size_t n = d->size / l->size, i;

	out_array_begin(o);
	for (i = 0; i < n && i < ELEMENTS_MAX; i++) {
		out_element(o);
		out_struct(o, l, d->bytes + i * l->size, l->size);
	}
	out_array_end(o, i < n || d->size % l->size || d->flags & CALL_DATA_MORE);
}
