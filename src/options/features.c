/* SPDX-License-Identifier: MIT */
#include "options/features.h"

#include <config.h>

#include <stddef.h>
#include <strings.h>

#define NOT_USED                 0
#define ALWAYS                   1
#define FEATURE(name, macro, on) { name, macro, on },

const struct feature features[] = {
#include "options/features.def"
	{ NULL, NULL, false },
};

const struct feature *feature_find(const char *name)
{
	for (const struct feature *f = features; f->name; f++)
		if (!strcasecmp(f->name, name) || !strcasecmp(f->macro, name))
			return f;
	return NULL;
}

void feature_print(const struct feature *f, FILE *out)
{
	fprintf(out, "%22s: [ %-3s ]  # %s\n", f->name, f->on ? "on" : "OFF", f->macro);
}
