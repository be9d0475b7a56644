/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/browse.h"

#define TEXT(field) offsetof(struct browse_request, field)

static const size_t texts[] = {
	TEXT(profile.path),
	TEXT(profile.symbols.vmlinux),
	TEXT(profile.symbols.kallsyms),
	TEXT(profile.symbols.symfs),
	TEXT(profile.buildid_dir),
	TEXT(profile.filter.time.text),
	TEXT(profile.filter.comms),
	TEXT(profile.filter.dsos),
	TEXT(profile.filter.symbols),
	TEXT(profile.filter.switch_on),
	TEXT(profile.filter.switch_off),
	TEXT(profile.parent),
	TEXT(profile.ignore_callees),
	TEXT(profile.plan.sort),
	TEXT(profile.plan.fields),
	TEXT(profile.weight_field),
	TEXT(tables.rows.symbol_part),
};

static char **browse_request_text_of(struct browse_request *rq, size_t i)
{
	return (char **)((char *)rq + texts[i]);
}

/* Returns a copy of the @n items of @size bytes at @from; NULL if there are none. */
static void *browse_request_copied(const void *from, size_t n, size_t size)
{
	void *copy;

	if (!n)
		return NULL;
	copy = xcalloc(n, size);
	return memcpy(copy, from, n * size);
}

#define COPY_LIST(list)                                                                            \
	do {                                                                                       \
		(list)->items = browse_request_copied((list)->items, (list)->n,                    \
						      sizeof((list)->items[0]));                   \
		(list)->room = (list)->n;                                                          \
	} while (0)

void browse_request_copy(struct browse_request *ret, const struct browse_request *from)
{
	struct filter_request *f = &ret->profile.filter;

	*ret = *from;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (*browse_request_text_of(ret, i))
			*browse_request_text_of(ret, i) = xstrdup(*browse_request_text_of(ret, i));
	COPY_LIST(&f->time);
	COPY_LIST(&f->cpus);
	COPY_LIST(&f->pids);
	COPY_LIST(&f->tids);
}

void browse_request_done(struct browse_request *rq)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(*browse_request_text_of(rq, i));
	filter_request_done(&rq->profile.filter);
	*rq = (struct browse_request){ 0 };
}
