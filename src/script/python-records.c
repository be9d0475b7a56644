/* SPDX-License-Identifier: MIT */
#include "script/python-records.h"

#include <stdlib.h>

#include "base/memory.h"
#include "script/python-script.h"
#include "session/consumer.h"

struct python_records {
	struct python_script *script;
};

struct python_records *python_records_new(struct python_script *s)
{
	struct python_records *r = xcalloc(1, sizeof(*r));

	r->script = s;
	return r;
}

void python_records_free(struct python_records *r)
{
	free(r);
}

void python_records_begin(struct python_records *r, struct consumer *c)
{
	(void)r;
	(void)c;
}

int python_records_take(struct python_records *r, const struct delivered *d)
{
	(void)r;
	(void)d;
	return 0;
}

int python_records_user(struct python_records *r, const struct delivered *d)
{
	(void)r;
	(void)d;
	return 0;
}

int python_records_sample(struct python_records *r, const struct session_sample *ss)
{
	(void)r;
	(void)ss;
	return 0;
}

int python_records_end(struct python_records *r)
{
	(void)r;
	return 0;
}
