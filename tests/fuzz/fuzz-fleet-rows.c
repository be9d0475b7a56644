/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the rows of a store. Rows that pass the check become weighted stacks, a recording and an
 * OTLP message; otherwise one sentence reports the error.
 *
 * A byte names the table, and each column follows: a number is one byte with a sign, so that rows
 * meet each other; a text is a letter.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/protobuf.h"
#include "store/check.h"
#include "store/data.h"
#include "store/otlp-profile.h"
#include "foreign/fleet.h"
#include "foreign/recording.h"
#include "foreign/stack-profile.h"
#include "symbol/given-names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_rows(struct fleet_data *d, const uint8_t *data, size_t size)
{
	while (size) {
		enum fleet_table t = (enum fleet_table)(data[0] % FLEET_HOUR);
		size_t n = fleet_tables[t].n_columns;
		union fleet_cell row[FLEET_COLUMNS_MAX];
		char texts[FLEET_COLUMNS_MAX][2] = { "" };

		if (size <= n)
			return;
		for (size_t i = 0; i < n; i++) {
			texts[i][0] = (char)data[1 + i];
			if (fleet_tables[t].columns[i].is_text)
				row[i].text = texts[i];
			else
				row[i].number = (int8_t)data[1 + i];
		}
		fleet_add(d, t, row);
		data += n + 1;
		size -= n + 1;
	}
}

static void use_rows(const struct fleet_data *d)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	_cleanup_(given_names_freep) struct given_names *names = NULL;
	_cleanup_(protobuf_done) struct protobuf message = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int fd;

	fleet_otlp_write(&message, d);
	if (fleet_stacks(d, p, &diag) < 0)
		abort();
	if (p->events.n && stack_profile_record(p, &fd, &names, &diag) >= 0)
		close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	add_rows(d, data, size);
	if (fleet_check(d, &diag) >= 0)
		use_rows(d);
	else if (!diag.message)
		abort();
	return 0;
}
