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

static int call_setter(const struct option *o, void *field, const struct config *c,
		       struct diag *diag)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	bool yes;
	int r;

	if (!(o->flags & OPTION_NO_VALUE)) {
		r = o->set(field, o, config_get(c, o->config), false, &why);
		return r < 0 ? config_refuse(c, o->config, why.hint ? why.hint : why.message, diag)
			     : r;
	}
	r = config_get_bool(c, o->config, &yes, diag);
	return r < 0 ? r : o->set(field, o, NULL, !yes, diag);
}

static int store(const struct option *o, void *field, const struct config *c, struct diag *diag)
{
	switch (o->kind) {
	case OPTION_FLAG:
		return config_get_bool(c, o->config, field, diag);
	case OPTION_UINT:
		return config_get_uint(c, o->config, field, diag);
	case OPTION_STRING:
		*(const char **)field = config_get(c, o->config);
		return 0;
	case OPTION_CALL:
		return call_setter(o, field, c, diag);
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
			r = store(o, field, c, diag);
	}
	return r < 0 ? r : 0;
}
