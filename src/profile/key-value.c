/* SPDX-License-Identifier: MIT */
/*
 * What values of several families have in common.
 */
#include <string.h>

#include "base/size-text.h"
#include "base/text.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"

int key_compare_texts(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return a == b ? 0 : strcmp(shared_value_text(a), shared_value_text(b));
}

void key_print_text(const struct key *k, struct key_env *env, const struct key_cell *c,
		    struct text *out)
{
	(void)k, (void)env;
	text_add(out, shared_value_text(c->value));
}

int key_compare_down(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return key_order(b, a);
}

void key_print_size(const struct key *k, struct key_env *env, const struct key_cell *c,
		    struct text *out)
{
	char room[SIZE_TEXT_MAX];

	(void)k, (void)env;
	text_add(out, c->value ? size_text(c->value, room) : "N/A");
}
