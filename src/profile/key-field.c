/* SPDX-License-Identifier: MIT */
/*
 * Fields of tracepoints as sort keys: [EVENT.]FIELD[/raw], and all of them: trace_fields.
 *
 * Each is a key of one event, and is empty for others. A row is a value of the field, compared byte
 * by byte. It is shown as in the tracepoint's text (prev_state=R+), if that names the field,
 * otherwise as it is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/key-field.h"
#include "profile/key-types.h"
#include "profile/keys.h"
#include "profile/shared-values.h"
#include "session/session.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

struct field_arg {
	const struct session_event *event;
	const struct tracepoint_field *field;
	struct field_ref ref;
	const struct tracepoint_machine *machine;
	bool raw;
	struct key_part parts[KEY_PARTS_MAX];
};

/* The value for a number: the bytes of the field, then the text that shows it. */
struct field_value {
	uint32_t n_bytes;
	char bytes[]; /* the text after the bytes ends with a NUL */
};

/*
 * Returns the value of @name in "a=1 name=2", "a: 1, name: 2" or "a 1 name 2"; NULL: the text does
 * not have it.
 */
static const char *named_value(const char *text, const char *name, size_t *ret_n)
{
	size_t n = strlen(name);

	for (const char *at = text; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
		if (strncmp(at, name, n) || !at[n] || !strchr("=: ", at[n]))
			continue;
		at += n + 1;
		at += at[-1] == ':' && *at == ' ';
		n = strcspn(at, " ");
		*ret_n = n && at[n - 1] == ',' ? n - 1 : n;
		return *ret_n ? at : NULL;
	}
	return NULL;
}

/* Appends the value. Strings are shown unchanged, whatever the tracepoint's text does to them. */
static void key_field_print_value(const struct field_arg *a, const struct sample *s,
				  struct text *out)
{
	_cleanup_(text_done) struct text all = TEXT_EMPTY;
	const char *named = NULL;
	size_t n;

	if (!a->raw && !a->field->is_string && !tracepoint_plan_problem(a->event->plan)) {
		tracepoint_plan_print(a->event->plan, a->machine, s->raw, s->raw_size, &all);
		named = named_value(all.chars, a->field->name, &n);
	}
	if (named)
		text_add_bytes(out, named, n);
	else
		tracepoint_plan_print_field(a->event->plan, a->machine, a->field, s->raw,
					    s->raw_size, out);
}

static uint64_t make_value(const struct field_arg *a, struct key_env *env, const struct sample *s,
			   const void *bytes, size_t n)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct field_value head = { .n_bytes = (uint32_t)n };

	text_add_bytes(&t, (const char *)&head, sizeof(head));
	text_add_bytes(&t, bytes, n);
	key_field_print_value(a, s, &t);
	return shared_values_add(env->values, t.chars, t.length);
}

static uint64_t key_field_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	const struct field_arg *a = k->arg;
	uint64_t salt = (uintptr_t)a, value;
	struct raw_span f;

	if (s->event != a->event)
		return 0;
	f = field_ref_bytes(&a->ref, s->sample->raw, s->sample->raw_size);
	value = shared_values_noted(env->values, f.bytes, f.size, salt);
	if (!value)
		value = shared_values_note(env->values, f.bytes, f.size, salt,
					   make_value(a, env, s->sample, f.bytes, f.size));
	return value;
}

static const struct field_value *value_get(uint64_t value)
{
	static const struct field_value none;
	size_t n;

	return value ? shared_value(value, &n) : &none;
}

/* Compares by bytes in memory order, the largest first. */
static int field_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct field_value *va = value_get(a), *vb = value_get(b);
	uint32_t n = va->n_bytes < vb->n_bytes ? va->n_bytes : vb->n_bytes;
	int order = memcmp(vb->bytes, va->bytes, n);

	(void)k, (void)env;
	return order ? order : key_order(vb->n_bytes, va->n_bytes);
}

/* True if the field's values are numbers. Addresses count as text. */
static bool key_field_is_number(const struct field_arg *a)
{
	return a->ref.kind == FIELD_NUMBER && !a->field->is_pointer;
}

/* Returns an integer, with its text in the tracepoint unless that is just its digits; or a text. */
static void key_field_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			    struct text *scratch, struct value *ret)
{
	const struct field_arg *a = k->arg;
	const struct field_value *v = value_get(c->value);
	const char *shown = v->bytes + v->n_bytes;
	uint64_t number;

	(void)env;
	if (!c->value)
		return;
	if (!key_field_is_number(a) || v->n_bytes != a->ref.size) {
		ret[PART_FIELD] = value_text(shown);
		return;
	}
	number = number_extend(raw_number(v->bytes, a->ref.size, a->ref.swap), a->ref.size,
			       a->ref.is_signed);
	ret[PART_FIELD] = a->ref.is_signed ? value_signed((int64_t)number) : value_unsigned(number);
	value_add(scratch, &ret[PART_FIELD]);
	if (strcmp(scratch->chars, shown) != 0)
		ret[PART_FIELD_TEXT] = value_text(shown);
}

const struct key_type key_field = {
	.name = "trace_fields",
	.of_sample = key_field_of,
	.compare = field_compare,
	.value = key_field_value,
};

static bool key_field_is_there(const struct keys *k, const struct session_event *ev,
			       const struct tracepoint_field *f)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct field_arg *a = k->items[i].arg;

		if (k->items[i].type == &key_field && a->event == ev && a->field == f)
			return true;
	}
	return false;
}

static void name_parts(struct keys *k, struct field_arg *a)
{
	const char *name = a->field->name;
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;

	text_addf(&shown, "%s_text", name);
	a->parts[PART_FIELD] = (struct key_part){ .name = name, .type = VALUE_TEXT };
	if (!key_field_is_number(a))
		return;
	a->parts[PART_FIELD].type = a->field->is_signed ? VALUE_SIGNED : VALUE_UNSIGNED;
	a->parts[PART_FIELD_TEXT] = (struct key_part){
		.name = arena_strndup(&k->arena, shown.chars, shown.length), .type = VALUE_TEXT
	};
}

void keys_add_field_of(struct keys *k, const struct key_env *env, const struct session_event *ev,
		       const struct tracepoint_field *f, bool raw)
{
	const struct tracepoint_machine *machine;
	struct field_arg *a;

	if (key_field_is_there(k, ev, f))
		return;
	machine = keys_trace_machine(k, env);
	a = arena_alloc(&k->arena, sizeof(*a));
	*a = (struct field_arg){
		.event = ev,
		.field = f,
		.ref = field_ref_of(f, machine->swap),
		.machine = machine,
		.raw = raw || env->raw_trace,
	};
	name_parts(k, a);
	*ARRAY_ADD(k) = (struct key){
		.type = &key_field,
		.title = f->name,
		.parts = a->parts,
		.arg = a,
		.event = ev,
		.field = f,
	};
}

static size_t event_count(const struct key_env *env)
{
	return env->session ? session_event_count(env->session) : 0;
}

void keys_add_all_fields(struct keys *k, const struct key_env *env)
{
	for (size_t i = 0; i < event_count(env); i++) {
		const struct session_event *ev = session_event(env->session, i);

		for (size_t j = 0; ev->plan && j < ev->format->n_fields; j++)
			if (!ev->format->fields[j].is_common)
				keys_add_field_of(k, env, ev, &ev->format->fields[j], false);
	}
}

/* The parts of [EVENT.]FIELD[/raw]. */
struct field_name {
	char *event; /* NULL: any */
	char *field;
	bool raw;
};

static void field_name_parse(char *text, struct field_name *ret)
{
	char *dot = strchr(text, '.'), *slash;

	ret->event = dot ? text : NULL;
	ret->field = dot ? dot + 1 : text;
	if (dot)
		*dot = '\0';
	slash = strchr(ret->field, '/');
	ret->raw = slash && !strcmp(slash, "/raw");
	if (slash && ret->raw)
		*slash = '\0';
}

/* Returns the event for "%2": the second one. */
static const struct session_event *event_by_number(const struct key_env *env, const char *number)
{
	char *end;
	unsigned long n = strtoul(number, &end, 10);

	if (!*number || *end || !n || n > event_count(env))
		return NULL;
	return session_event(env->session, n - 1);
}

/* Finds the event with the typed name, or the only one whose name contains it. */
static int key_field_find_event(const struct key_env *env, const char *typed,
				const struct session_event **ret, struct diag *diag)
{
	const struct session_event *found = *typed == '%' ? event_by_number(env, typed + 1) : NULL;

	for (size_t i = 0; *typed != '%' && i < event_count(env); i++) {
		const struct session_event *ev = session_event(env->session, i);

		if (!strstr(ev->name, typed))
			continue;
		if (!strcmp(ev->name, typed)) {
			found = ev;
			break;
		}
		if (found)
			return diag_set(diag, -EINVAL, "'%s' may be %s or %s", typed, found->name,
					ev->name);
		found = ev;
	}
	if (!found)
		return diag_set(diag, -EINVAL, "there is no event '%s' in the recording", typed);
	if (!found->plan)
		return diag_set(diag, -EINVAL, "%s is not a tracepoint: it has no fields",
				found->name);
	*ret = found;
	return 0;
}

static int add_of_event(struct keys *k, const struct key_env *env, const struct field_name *name,
			struct diag *diag)
{
	const struct session_event *ev = NULL;
	const struct tracepoint_field *f;
	int r = key_field_find_event(env, name->event, &ev, diag);

	if (r < 0)
		return r;
	f = tracepoint_field_find(ev->format, name->field);
	if (!f) {
		diag_set(diag, -EINVAL, "%s has no field '%s'", ev->name, name->field);
		diag_hint(diag, "`perf evlist --trace-fields` lists the fields of tracepoints");
		return -EINVAL;
	}
	keys_add_field_of(k, env, ev, f, name->raw);
	return 1;
}

static int add_of_any(struct keys *k, const struct key_env *env, const struct field_name *name)
{
	int n = 0;

	for (size_t i = 0; i < event_count(env); i++) {
		const struct session_event *ev = session_event(env->session, i);
		const struct tracepoint_field *f =
			ev->plan ? tracepoint_field_find(ev->format, name->field) : NULL;

		if (f) {
			keys_add_field_of(k, env, ev, f, name->raw);
			n++;
		}
	}
	return n;
}

int keys_add_field(struct keys *k, const struct key_env *env, const char *typed, struct diag *diag)
{
	_cleanup_(freep) char *text = xstrdup(typed);
	struct field_name name;

	field_name_parse(text, &name);
	return name.event ? add_of_event(k, env, &name, diag) : add_of_any(k, env, &name);
}
