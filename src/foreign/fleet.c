/* SPDX-License-Identifier: MIT */
/* Profiles of a fleet (store/store.h): the data that the URL selects, as weighted stacks. */
#include "foreign/fleet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "elf/build-id.h"
#include "foreign/stack-profile.h"
#include "store/data.h"
#include "store/store.h"
#include "store/url.h"

#define NS_PER_SECOND UINT64_C(1000000000)

/* The approximate size of a row in the store, which determines the budget for stacks. */
#define ROW_BYTES UINT64_C(48)

/* The number in the stack profile of each row of a dictionary. */
struct fleet_numbers {
	const struct fleet_data *data;
	struct stack_profile *profile;
	uint32_t *of[N_FLEET_TABLES];
};

static uint32_t fleet_number_of(const struct fleet_numbers *m, enum fleet_table t, int64_t id)
{
	return m->of[t][fleet_find_number(m->data, t, id) - 1];
}

static uint32_t foreign_fleet_add_image(struct stack_profile *p, const union fleet_cell *row)
{
	struct build_id id = { 0 };

	build_id_parse(row[IMAGE_BUILD_ID].text, &id);
	return stack_profile_image(p, row[IMAGE_NAME].text, &id);
}

static uint32_t fleet_add_frame(struct fleet_numbers *m, const union fleet_cell *row)
{
	uint32_t image = fleet_number_of(m, FLEET_IMAGE, row[FRAME_IMAGE].number);

	if (!*row[FRAME_FUNCTION].text)
		return stack_profile_address(m->profile, image,
					     (uint64_t)row[FRAME_ADDRESS].number);
	return stack_profile_function(m->profile, image, row[FRAME_FUNCTION].text,
				      row[FRAME_IS_INLINED].number);
}

static uint32_t foreign_fleet_add_source(struct stack_profile *p, const union fleet_cell *row,
					 uint32_t pid)
{
	/*
	 * Commands of the same name count as one, on whichever host they ran; hosts are kept apart.
	 */
	uint32_t task = stack_profile_task(p, pid, pid, row[FLEET_SOURCE_COMM].text);

	if (*row[FLEET_SOURCE_HOST].text)
		stack_profile_set_group(p, task, row[FLEET_SOURCE_HOST].text);
	return task;
}

static void number_rows(struct fleet_numbers *m, enum fleet_table t)
{
	for (size_t i = 0; i < m->data->tables[t].n; i++) {
		const union fleet_cell *row = fleet_row(m->data, t, i);
		uint32_t *n = &m->of[t][i];

		if (t == FLEET_IMAGE)
			*n = foreign_fleet_add_image(m->profile, row);
		else if (t == FLEET_FRAME)
			*n = fleet_add_frame(m, row);
		else if (t == FLEET_EVENT)
			*n = stack_profile_event(m->profile, row[EVENT_NAME].text,
						 row[EVENT_IS_TIME].number);
		else if (t == FLEET_SOURCE)
			*n = foreign_fleet_add_source(m->profile, row, (uint32_t)i + 1);
	}
}

/* Returns the stack of row @i; UINT32_MAX: it is its own caller. @path has space for all rows. */
static uint32_t fleet_number_stack(struct fleet_numbers *m, size_t i, size_t *path)
{
	uint32_t *of = m->of[FLEET_STACK], caller = STACK_PROFILE_ROOT;
	size_t n = 0;

	while (of[i] == UINT32_MAX) {
		int64_t parent = fleet_row(m->data, FLEET_STACK, i)[STACK_PARENT].number;

		if (n == m->data->tables[FLEET_STACK].n)
			return UINT32_MAX;
		path[n++] = i;
		if (!parent)
			break;
		i = fleet_find_number(m->data, FLEET_STACK, parent) - 1;
	}
	if (of[i] != UINT32_MAX)
		caller = of[i];
	while (n) {
		const union fleet_cell *row = fleet_row(m->data, FLEET_STACK, path[--n]);

		caller = stack_profile_stack(
			m->profile, caller,
			fleet_number_of(m, FLEET_FRAME, row[STACK_FRAME].number));
		of[path[n]] = caller;
	}
	return caller;
}

static int number_stacks(struct fleet_numbers *m, struct diag *diag)
{
	size_t n = m->data->tables[FLEET_STACK].n;
	_cleanup_(freep) size_t *path = xcalloc(n + 1, sizeof(*path));

	for (size_t i = 0; i < n; i++)
		m->of[FLEET_STACK][i] = UINT32_MAX;
	for (size_t i = 0; i < n; i++)
		if (fleet_number_stack(m, i, path) == UINT32_MAX)
			return diag_set(diag, -EBADMSG,
					"the store is damaged: in perf_stack, the row %lld is its "
					"own caller",
					(long long)fleet_row(m->data, FLEET_STACK, i)[0].number);
	return 0;
}

static void fleet_add_weight(struct fleet_numbers *m, const union fleet_cell *row)
{
	int64_t stack = row[SAMPLE_STACK].number;
	struct profile_weight w = {
		.event = fleet_number_of(m, FLEET_EVENT, row[SAMPLE_EVENT].number),
		.task = fleet_number_of(m, FLEET_SOURCE, row[SAMPLE_SOURCE].number),
		.stack = stack ? fleet_number_of(m, FLEET_STACK, stack) : STACK_PROFILE_ROOT,
		.cpu = UINT32_MAX,
		.time = (uint64_t)row[SAMPLE_MINUTE].number * NS_PER_SECOND,
		.samples = (uint64_t)row[SAMPLE_SAMPLES].number,
		.period = (uint64_t)row[SAMPLE_PERIOD].number,
	};

	m->profile->has_times |= w.time != 0;
	stack_profile_add(m->profile, w);
}

/* Every id was found: fleet_read() ensures that. */
static int fleet_fill(struct fleet_numbers *m, struct diag *diag)
{
	static const enum fleet_table order[] = { FLEET_IMAGE, FLEET_FRAME, FLEET_EVENT,
						  FLEET_SOURCE };
	struct diag why = { 0 };
	int r;

	for (int t = 0; t < N_FLEET_TABLES; t++) {
		stack_profile_allow(m->profile, m->data->tables[t].n * ROW_BYTES);
		m->of[t] = xcalloc(m->data->tables[t].n + 1, sizeof(*m->of[t]));
	}
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		number_rows(m, order[i]);
	r = number_stacks(m, diag);
	for (size_t i = 0; r >= 0 && i < m->data->tables[FLEET_SAMPLE].n; i++)
		fleet_add_weight(m, fleet_row(m->data, FLEET_SAMPLE, i));
	if (r >= 0 && stack_profile_check(m->profile, &why) < 0)
		r = diag_set(diag, -EFBIG, "what the store has of that choice: %s", why.message);
	diag_done(&why);
	for (int t = 0; t < N_FLEET_TABLES; t++)
		free(m->of[t]);
	return r;
}

int fleet_stacks(const struct fleet_data *d, struct stack_profile *p, struct diag *diag)
{
	struct fleet_numbers m = { .data = d, .profile = p };

	if (d->remark)
		p->remark = xstrdup(d->remark);
	return fleet_fill(&m, diag);
}

int fleet_read_stacks(const char *url, struct stack_profile *p, struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	int r = fleet_url_parse(url, time(NULL), &u, diag);

	if (r >= 0)
		r = fleet_read(&u, &d, diag);
	if (r >= 0)
		r = fleet_stacks(d, p, diag);
	return r;
}
