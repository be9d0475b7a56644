/* SPDX-License-Identifier: MIT */
/*
 * DWARF's entries do not contain their parents, so parents are found from above: the entries of a
 * parent follow one another, so the child that contains an entry is the last one that begins before
 * it. The beginnings of a parent's children are kept.
 *
 * gcc gives lambdas neither a name nor a linkage name. They are named as c++filt names those that
 * have one: {lambda(int)#2} is the second lambda of a function that takes an int.
 */
#include "dwarf/scope-name.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "dwarf/unit.h"

/* No source nests deeper; a limit for damaged files. */
#define SCOPE_DEPTH_MAX 64

/* Longer than any compiler's chain of references from an instance to its declaration. */
#define SCOPE_ORIGINS_MAX 8

/* Longer names are cut off, because parameters of lambdas may be lambdas. */
#define SCOPE_NAME_MAX 4096

/*
 * The limit on types and lambdas that are visited for one name: in damaged files they may refer to
 * each other.
 */
#define SCOPE_STEPS_MAX 10000

/* The beginnings of an entry's children, ascending. */
struct child_list {
	void **items;
	size_t n, room;
};

/* The entries around an entry, outermost first. */
struct scope_path {
	Dwarf_Die items[SCOPE_DEPTH_MAX];
	size_t n;
};

static void free_child_list(void *arg, uint64_t parent, void *value)
{
	struct child_list *l = value;

	(void)arg, (void)parent;
	free(l->items);
	free(l);
}

void dwarf_unit_names_done(struct dwarf_unit *u)
{
	u64_map_for_each(&u->children, free_child_list, NULL);
	u64_map_done(&u->children);
	u64_map_done(&u->qualified);
	arena_done(&u->names);
}

static const struct child_list *children_of(struct dwarf_unit *u, Dwarf_Die *parent)
{
	struct child_list *l = u64_map_find(&u->children, (uintptr_t)parent->addr);
	Dwarf_Die die;

	if (l)
		return l;
	l = xcalloc(1, sizeof(*l));
	u64_map_put(&u->children, (uintptr_t)parent->addr, l);
	if (dwarf_child(parent, &die) != 0)
		return l;
	/* In damaged files a sibling may lie before it. */
	do
		*ARRAY_ADD(l) = die.addr;
	while (dwarf_siblingof(&die, &die) == 0 &&
	       (uintptr_t)die.addr > (uintptr_t)l->items[l->n - 1]);
	return l;
}

static Dwarf_Die die_at(const Dwarf_Die *parent, void *addr)
{
	return (Dwarf_Die){ .addr = addr, .cu = parent->cu };
}

static bool scope_name_find_path(struct dwarf_unit *u, Dwarf_Die *die, struct scope_path *ret)
{
	Dwarf_Die at;

	ret->n = 0;
	if (!dwarf_diecu(die, &at, NULL, NULL))
		return false;
	while (ret->n < SCOPE_DEPTH_MAX) {
		const struct child_list *l = children_of(u, &at);
		size_t n = BISECT(i, l->n, (uintptr_t)l->items[i] <= (uintptr_t)die->addr);

		if (!n)
			return false;
		at = die_at(&at, l->items[n - 1]);
		if (at.addr == die->addr)
			return true;
		ret->items[ret->n++] = at;
	}
	return false;
}

static bool scope_name_refer(Dwarf_Die *die, unsigned attribute, Dwarf_Die *ret)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, attribute, &a) && dwarf_formref_die(&a, ret);
}

/* Returns the entry that declares the function of which @die is an instance. */
static Dwarf_Die scope_name_origin_of(Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;

	for (unsigned i = 0; i < SCOPE_ORIGINS_MAX; i++) {
		if (!scope_name_refer(&at, DW_AT_abstract_origin, &next) &&
		    !scope_name_refer(&at, DW_AT_specification, &next))
			break;
		at = next;
	}
	return at;
}

/*
 * Returns the separator of names; NULL: the language has no scopes, or its names contain them
 * already.
 */
static const char *scope_name_separator_of(struct dwarf_unit *u)
{
	switch (dwarf_srclang(&u->full)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_Rust:
	case 0x2b: /* DW_LANG_C_plus_plus_17 */
	case 0x2c: /* DW_LANG_C_plus_plus_20 */
	case 0x3a: /* DW_LANG_C_plus_plus_23 */
		return "::";
	case DW_LANG_D:
		return ".";
	default:
		return NULL;
	}
}

/* Returns a name as c++filt writes it, for example gcc's "long unsigned int". */
static const char *base_type_name(const char *name)
{
	static const char *const names[][2] = {
		{ "long unsigned int", "unsigned long" },
		{ "short unsigned int", "unsigned short" },
		{ "long long unsigned int", "unsigned long long" },
		{ "long int", "long" },
		{ "short int", "short" },
		{ "long long int", "long long" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return name;
}

static void scope_name_add(struct text *out, const char *name)
{
	text_add_bytes(out, name, strnlen(name, SCOPE_NAME_MAX));
}

/* True if one more step is permitted for this name. */
static bool scope_name_take_step(struct dwarf_unit *u)
{
	return u->name_steps && u->name_steps--;
}

static void add_qualified(struct dwarf_unit *u, Dwarf_Die *die, struct text *out, unsigned depth);

/* Adds the name of a parameter's type. Typedefs are skipped, because linkage names have none. */
static void scope_name_add_type(struct dwarf_unit *u, Dwarf_Die *type, struct text *out,
				unsigned depth)
{
	static const struct {
		int tag;
		const char *suffix;
	} wrapped[] = {
		{ DW_TAG_typedef, "" },
		{ DW_TAG_const_type, " const" },
		{ DW_TAG_volatile_type, " volatile" },
		{ DW_TAG_pointer_type, "*" },
		{ DW_TAG_reference_type, "&" },
		{ DW_TAG_rvalue_reference_type, "&&" },
	};
	int tag = dwarf_tag(type);
	Dwarf_Die inner;

	if (depth > SCOPE_DEPTH_MAX || !scope_name_take_step(u))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(wrapped); i++) {
		if (tag != wrapped[i].tag)
			continue;
		if (scope_name_refer(type, DW_AT_type, &inner))
			scope_name_add_type(u, &inner, out, depth + 1);
		else
			text_add(out, "void");
		text_add(out, wrapped[i].suffix);
		return;
	}
	if (tag == DW_TAG_base_type && dwarf_diename(type))
		scope_name_add(out, base_type_name(dwarf_diename(type)));
	else
		add_qualified(u, type, out, depth + 1);
}

static bool is_class(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* Finds the function of a lambda, which is a class without a name; false: @die is not a lambda. */
static bool lambda_function(struct dwarf_unit *u, Dwarf_Die *die, Dwarf_Die *ret)
{
	static const char name[] = "operator()";

	if (!is_class(die) || dwarf_diename(die))
		return false;

	const struct child_list *l = children_of(u, die);

	for (size_t i = 0; i < l->n; i++) {
		Dwarf_Die child = die_at(die, l->items[i]);
		const char *text = dwarf_tag(&child) == DW_TAG_subprogram ? dwarf_diename(&child)
									  : NULL;

		if (text && !strncmp(text, name, strlen(name))) {
			*ret = child;
			return true;
		}
	}
	return false;
}

/* Adds the types of @function's parameters, except that of the object. */
static void scope_name_add_parameters(struct dwarf_unit *u, Dwarf_Die *function, struct text *out,
				      unsigned depth)
{
	const struct child_list *l = children_of(u, function);
	const char *before = "";

	for (size_t i = 0; i < l->n && out->length < SCOPE_NAME_MAX; i++) {
		Dwarf_Die child = die_at(function, l->items[i]), type;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
		    dwarf_hasattr(&child, DW_AT_artificial) ||
		    !scope_name_refer(&child, DW_AT_type, &type))
			continue;
		text_add(out, before);
		scope_name_add_type(u, &type, out, depth + 1);
		before = ", ";
	}
}

/* Lambdas of a function with the same parameters. */
struct lambda_count {
	const char *parameters;
	const void *before; /* those that begin before this entry are counted */
	unsigned depth, n;
};

static void count_lambdas(struct dwarf_unit *u, Dwarf_Die *parent, struct lambda_count *c,
			  unsigned depth)
{
	const struct child_list *l = children_of(u, parent);

	if (depth > SCOPE_DEPTH_MAX)
		return;
	for (size_t i = 0; i < l->n && (uintptr_t)l->items[i] < (uintptr_t)c->before; i++) {
		Dwarf_Die child = die_at(parent, l->items[i]), function;

		if (dwarf_tag(&child) == DW_TAG_lexical_block)
			count_lambdas(u, &child, c, depth + 1);
		if (!lambda_function(u, &child, &function) || !scope_name_take_step(u))
			continue;

		struct text text = TEXT_EMPTY;

		scope_name_add_parameters(u, &function, &text, c->depth);
		c->n += !strcmp(text.chars, c->parameters);
		text_done(&text);
	}
}

static void add_lambda(struct dwarf_unit *u, Dwarf_Die *around, Dwarf_Die *die, Dwarf_Die *function,
		       struct text *out, unsigned depth)
{
	struct text parameters = TEXT_EMPTY;

	scope_name_add_parameters(u, function, &parameters, depth);

	struct lambda_count c = { .parameters = parameters.chars,
				  .before = die->addr,
				  .depth = depth };

	count_lambdas(u, around, &c, 0);
	text_addf(out, "{lambda(%s)#%u}", parameters.chars, c.n + 1);
	text_done(&parameters);
}

/* Adds the name of a class, namespace or function that is not in another one of @around. */
static void add_own_name(struct dwarf_unit *u, Dwarf_Die *around, Dwarf_Die *die, struct text *out,
			 unsigned depth)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die function;

	if (name)
		scope_name_add(out, name);
	else if (dwarf_tag(die) == DW_TAG_namespace)
		text_add(out, "(anonymous namespace)");
	else if (lambda_function(u, die, &function))
		add_lambda(u, around, die, &function, out, depth);
	else
		text_add(out, "{unnamed type}");
}

static bool is_named_scope(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

/* Adds the names of the scopes in @p, and sets @ret_around to the last function among them. */
static void add_scopes(struct dwarf_unit *u, struct scope_path *p, struct text *out,
		       Dwarf_Die *ret_around, unsigned depth)
{
	const char *separator = scope_name_separator_of(u);

	for (size_t i = 0; i < p->n && out->length < SCOPE_NAME_MAX; i++) {
		Dwarf_Die *die = &p->items[i];

		if (dwarf_tag(die) == DW_TAG_subprogram) {
			/* It may be an instance of a function that is declared elsewhere. */
			text_clear(out);
			add_qualified(u, die, out, depth + 1);
			*ret_around = *die;
		} else if (is_named_scope(die)) {
			add_own_name(u, ret_around, die, out, depth);
		} else {
			continue;
		}
		text_add(out, separator);
	}
}

static void add_qualified(struct dwarf_unit *u, Dwarf_Die *die, struct text *out, unsigned depth)
{
	struct text text = TEXT_EMPTY;
	Dwarf_Die origin = scope_name_origin_of(die), around;
	struct scope_path *p = xmalloc(sizeof(*p));

	if (depth < SCOPE_ORIGINS_MAX && scope_name_take_step(u) &&
	    scope_name_find_path(u, &origin, p) && dwarf_diecu(&origin, &around, NULL, NULL)) {
		add_scopes(u, p, &text, &around, depth);
		add_own_name(u, &around, &origin, &text, depth + 1);
		text_add(out, text.chars);
	} else if (dwarf_diename(&origin)) {
		scope_name_add(out, dwarf_diename(&origin));
	}
	free(p);
	text_done(&text);
}

static const char *make_name(struct dwarf_unit *u, Dwarf_Die *origin)
{
	const char *plain = dwarf_diename(origin), *kept;
	struct text text = TEXT_EMPTY;

	if (!plain || !scope_name_separator_of(u))
		return plain;
	u->name_steps = SCOPE_STEPS_MAX;
	add_qualified(u, origin, &text, 0);
	kept = arena_strndup(&u->names, text.chars, text.length);
	text_done(&text);
	return kept;
}

const char *dwarf_qualified_name(struct dwarf_unit *u, Dwarf_Die *die)
{
	Dwarf_Die origin = scope_name_origin_of(die);
	char *name = u64_map_find(&u->qualified, (uintptr_t)origin.addr);

	if (!name) {
		name = (char *)make_name(u, &origin);
		if (name)
			u64_map_put(&u->qualified, (uintptr_t)origin.addr, name);
	}
	return name;
}
