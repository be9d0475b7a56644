/* SPDX-License-Identifier: MIT */
#pragma once
/* A table of the samples of profile/example-profile.h, made by two workers that take turns. */
#include "example-profile.h"

#include "profile/sample-table.h"

static inline int example_table_take(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		sample_table_take(arg, &(struct sample_batch){ .items = &b->items[i],
							       .n = 1,
							       .worker = (unsigned)i % 2 });
	return 0;
}

__attribute__((unused)) static struct sample_table *
example_table(struct example_profile *p, const char *const *fields, size_t n,
	      const struct sample_filter *filter, bool in_file_order)
{
	_cleanup_(sample_table_maker_freep) struct sample_table_maker *m = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	p->session = opened(&p->recording, in_file_order);
	assert_int_equal(session_scan(p->session, &diag), 0);
	assert_int_equal(
		sample_table_maker_new(&(struct sample_table_options){ .session = p->session,
								       .fields = fields,
								       .n_fields = n,
								       .filter = filter,
								       .max_stack = 127,
								       .n_workers = 2 },
				       &m, &diag),
		0);
	assert_int_equal(session_feed(p->session, NULL,
				      &(struct consumer){ .order = CONSUMER_IN_ORDER,
							  .samples = example_table_take,
							  .arg = m },
				      &diag),
			 0);
	return sample_table_settle(m, NULL);
}

#define EXAMPLE_TABLE(p, filter, in_file_order, ...)                                               \
	example_table(p, (const char *const[]){ __VA_ARGS__ },                                     \
		      sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *), filter,       \
		      in_file_order)

/* Returns the name in row @i; "": there is none. */
__attribute__((unused)) static const char *example_name(const struct sample_column *c, size_t i)
{
	static char copy[64];
	int32_t code = ((const int32_t *)c->values)[i];
	size_t length = 0;
	const char *text = code < 0 ? "" : sample_names_get(&c->names, (size_t)code, &length);

	assert_true(length < sizeof(copy));
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}
