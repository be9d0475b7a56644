/* SPDX-License-Identifier: MIT */
#include "cli/option.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/config.h"

bool option_is_variable(const struct option *o)
{
	return o->config && !o->name && !o->letter;
}

static int option_config_set_value(const struct option *o, void *field, const struct config *c,
				   struct diag *diag)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	int r = o->set(field, o, config_get(c, o->config), false, &why);

	if (r >= 0)
		return r;
	return config_refuse(c, o->config, why.hint ? why.hint : why.message, diag);
}

static int store_switch(const struct option *o, void *field, const struct config *c,
			struct diag *diag)
{
	bool yes;
	int r = config_get_bool(c, o->config, &yes, diag);

	if (r < 0)
		return r;
	if (o->kind == OPTION_FLAG)
		*(bool *)field = yes;
	else if (o->kind == OPTION_CHOICE)
		*(enum choice *)field = yes ? CHOICE_YES : CHOICE_NO;
	else
		r = o->set(field, o, NULL, !yes, diag);
	return r;
}

static int option_config_store(const struct option *o, void *field, const struct config *c,
			       struct diag *diag)
{
	switch (o->kind) {
	case OPTION_FLAG:
	case OPTION_CHOICE:
		return store_switch(o, field, c, diag);
	case OPTION_UINT:
		return config_get_uint(c, o->config, field, diag);
	case OPTION_STRING:
		*(const char **)field = config_get(c, o->config);
		return 0;
	case OPTION_CALL:
		return o->flags & OPTION_NO_VALUE ? store_switch(o, field, c, diag)
						  : option_config_set_value(o, field, c, diag);
	default:
		return diag_set(diag, -EINVAL, "%s cannot be configured", o->config);
	}
}

int option_configure(const struct option *table, void *opts, const struct config *c,
		     struct diag *diag)
{
	int r = 0;

	for (const struct option *o = table; o->kind != OPTION_END && r >= 0; o++) {
		void *field = (char *)opts + o->offset;

		if (o->kind == OPTION_SET)
			r = option_configure(o->sub, field, c, diag);
		else if (o->config && config_get(c, o->config))
			r = option_config_store(o, field, c, diag);
	}
	return r < 0 ? r : 0;
}
