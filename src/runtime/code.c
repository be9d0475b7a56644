/* SPDX-License-Identifier: MIT */
#include "runtime/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct runtime_function *runtime_code_add(struct runtime_code *c)
{
	struct runtime_function *f = ARRAY_ADD(&c->functions);

	*f = (struct runtime_function){ .name = TEXT_EMPTY, .file = TEXT_EMPTY };
	return f;
}

void runtime_code_forget_functions(struct runtime_code *c)
{
	for (size_t i = 0; i < c->functions.n; i++) {
		text_done(&c->functions.items[i].name);
		text_done(&c->functions.items[i].file);
		free(c->functions.items[i].lines.items);
	}
	free(c->functions.items);
	c->functions.items = NULL;
	c->functions.n = c->functions.room = 0;
}

void runtime_code_done(struct runtime_code *c)
{
	runtime_code_forget_functions(c);
	free(c->spots.items);
	free(c->places.items);
}

void runtime_name_in_file(const char *file, const char *function, struct text *to)
{
	const char *slash = strrchr(file, '/');

	/* The name of a package is that of its folder. */
	if (slash && !strcmp(slash, "/__init__.py"))
		while (slash > file && slash[-1] != '/')
			slash--;
	else if (slash)
		slash++;
	text_addf(to, "%s:%s", slash ? slash : file, function);
}
