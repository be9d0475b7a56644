/* SPDX-License-Identifier: MIT */
/* The functions that keys of several families share: they turn numbers into values. */
#include <string.h>

#include "base/text.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"

static struct value plain_value(enum value_type type, uint64_t number)
{
	switch (type) {
	case VALUE_TEXT:
		return value_text(number ? shared_value_text(number) : NULL);
	case VALUE_SIGNED:
		return value_signed((int32_t)number);
	case VALUE_FLAG:
		return value_flag(number);
	default:
		return value_number(type, number);
	}
}

void key_value(const struct key *k, struct key_env *env, const struct key_cell *c,
	       struct text *scratch, struct value ret[KEY_PARTS_MAX])
{
	memset(ret, 0, KEY_PARTS_MAX * sizeof(*ret));
	if (!k->type->value) {
		ret[0] = plain_value(k->parts[0].type, c->value);
		return;
	}
	text_clear(scratch);
	k->type->value(k, env, c, scratch, ret);
}

void key_value_add(const struct key *k, struct key_env *env, const struct key_cell *c,
		   struct text *out)
{
	_cleanup_(text_done) struct text scratch = TEXT_EMPTY;
	struct value parts[KEY_PARTS_MAX];
	const char *between = "";

	key_value(k, env, c, &scratch, parts);
	for (size_t i = 0; i < KEY_PARTS_MAX; i++) {
		if (parts[i].type == VALUE_NONE)
			continue;
		text_add(out, between);
		value_add(out, &parts[i]);
		between = ":";
	}
}

void key_value_nonzero(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret)
{
	(void)env, (void)scratch;
	if (c->value)
		ret[0] = value_number(k->parts[0].type, c->value);
}

int key_compare_texts(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return a == b ? 0 : strcmp(shared_value_text(a), shared_value_text(b));
}

int key_compare_down(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return key_order(b, a);
}
