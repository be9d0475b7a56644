/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "skip.h"
#include "store/data.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/url.h"

#if HAVE_SQLITE3
#define HOSTS   5
#define MINUTES 100
#define STACKS  100

static char folder[] = "/tmp/perf-unit-XXXXXX";
static int64_t stacks[STACKS], frames[STACKS];

/* Returns what host @h sends: in each minute two comms have one sample of each stack. */
static struct fleet_data *make_data(int64_t h)
{
	struct fleet_data *d = fleet_data_new();
	int64_t image = fleet_add_image(d, "", "/bin/x", false);
	int64_t event = fleet_add_event(d, "cycles", false);
	int64_t other = fleet_add_event(d, "instructions", false);
	/* The hosts that begin later have the smaller names. */
	char host[] = { (char)('a' + HOSTS - 1 - h), '\0' };

	for (int64_t i = 0; i < STACKS; i++) {
		_cleanup_(freep) char *name = xasprintf("f%d", (int)i / 2);

		frames[i] = fleet_add_function(d, image, name, false);
		stacks[i] = fleet_add_stack(d, 0, frames[i]);
		if (i % 2)
			stacks[i] = fleet_add_stack(d, stacks[0], frames[i]);
	}
	for (int64_t i = 0; i < MINUTES * STACKS * 2; i++) {
		const struct fleet_source source = { host, "s", "", i & 1 ? "x" : "y" };

		fleet_add(d, FLEET_SAMPLE,
			  (union fleet_cell[N_SAMPLE_COLUMNS]){
				  [SAMPLE_MINUTE].number = 3600 + 60 * h + i / STACKS / 2 * 60,
				  [SAMPLE_SOURCE].number = fleet_add_source(d, &source),
				  [SAMPLE_EVENT].number = h ? event : other,
				  [SAMPLE_STACK].number = stacks[i / 2 % STACKS],
				  [SAMPLE_SAMPLES].number = 1,
				  [SAMPLE_PERIOD].number = 10 });
	}
	fleet_make_batches(d, &(struct fleet_recording){ .host = host });
	return d;
}

static struct fleet_url url_of(const char *query)
{
	_cleanup_(freep) char *text = xasprintf("sqlite:%s/a.db%s", folder, query);
	struct diag diag = { 0 };
	struct fleet_url u;

	assert_int_equal(fleet_url_parse(text, 1000000, &u, &diag), 0);
	return u;
}

static int make_store(void **state)
{
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_receipt receipt;
	int r;

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	if (sqlite_load(&diag) < 0)
		return 0;
	u = url_of("");
	r = fleet_store_open(&u, true, &s, &diag);
	for (int64_t h = 0; r >= 0 && h < HOSTS; h++) {
		_cleanup_(fleet_data_freep) struct fleet_data *d = make_data(h);

		r = fleet_store_put(s, d, &receipt, &diag);
	}
	return r;
}

static int remove_store(void **state)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf %s", folder);

	(void)state;
	return system(command);
}

static struct fleet_data *read_rows(const char *query, int error)
{
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_data *d = NULL;

	if (sqlite_load(&diag) < 0)
		skip_because("built without SQLite");
	u = url_of(query);
	assert_int_equal(fleet_read(&u, &d, &diag), error);
	return d;
}

static int64_t sum_of(const struct fleet_data *d, size_t column)
{
	int64_t sum = 0;

	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++)
		sum += fleet_row(d, FLEET_SAMPLE, i)[column].number;
	return sum;
}

static void check_sums(const char *query, size_t n_rows, int64_t samples)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = read_rows(query, 0);

	assert_int_equal(d->tables[FLEET_SAMPLE].n, n_rows);
	assert_int_equal(sum_of(d, SAMPLE_SAMPLES), samples);
	assert_int_equal(sum_of(d, SAMPLE_PERIOD), 10 * samples);
}

static void all_threads_add_to_the_same_sums(void **state)
{
	const int64_t all = MINUTES * STACKS * 2;

	(void)state;
	check_sums("?by=host", 2 * HOSTS * STACKS, HOSTS * all);
	check_sums("?by=host&by=function", HOSTS * STACKS, HOSTS * all);
	check_sums("?by=function&host=?", 2 * STACKS, HOSTS * all);
	check_sums("?by=minute&host=[ab]", 2 * STACKS * (MINUTES + 1), 2 * all);
	check_sums("?by=host&comm=x&event=cycles", (HOSTS - 1) * STACKS, (HOSTS - 1) * all / 2);
	check_sums("?since=@7260&until=@7320", 4 * STACKS, 2 * HOSTS * STACKS);
	check_sums("", 4 * STACKS, HOSTS * all);
}

static void few_hosts_among_many_are_read_by_their_batches(void **state)
{
	const int64_t all = MINUTES * STACKS * 2;

	(void)state;
	check_sums("?host=a", 2 * STACKS, all);
	check_sums("?host=a&by=host&comm=x", STACKS, all / 2);
	check_sums("?host=a&by=minute", 2 * STACKS * MINUTES, all);
	check_sums("?host=a&by=function", STACKS, all);
	/* It begins at 3840. */
	check_sums("?host=a&since=@3600&until=@3960", 2 * STACKS, 2 * 2 * STACKS);
}

static void cells_have_the_samples_of_thirds(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = read_rows("?by=cell&host=a", 0);

	(void)state;
	/* Each stack has one sample a minute, which counts for the last third. */
	assert_int_equal(d->tables[FLEET_SAMPLE].n, 2 * MINUTES * 2);
	assert_int_equal(d->tables[FLEET_STACK].n, 0);
	assert_int_equal(sum_of(d, SAMPLE_SAMPLES), MINUTES * STACKS * 2);
	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_SAMPLE, i);
		bool is_last = row[SAMPLE_MINUTE].number % 60 == 40;

		assert_int_equal(row[SAMPLE_SAMPLES].number, is_last ? STACKS : 0);
	}
}

static void sources_have_the_order_of_their_first_rows(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = read_rows("?by=host", 0);
	char found[HOSTS * 2 + 1] = "";
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < d->tables[FLEET_SOURCE].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_SOURCE, i);

		if (*row[FLEET_SOURCE_HOST].text && n < 2 * HOSTS)
			found[n++] = *row[FLEET_SOURCE_HOST].text;
	}
	assert_string_equal(found, "eeddccbbaa");
}

static void what_is_not_chosen_is_not_there(void **state)
{
	(void)state;
	assert_null(read_rows("?host=z", -ENODATA));
	assert_null(read_rows("?by=host&service=other", -ENODATA));
	assert_null(read_rows("?by=host&event=none", -ENODATA));
	assert_null(read_rows("?by=host&until=@60", -ENODATA));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_threads_add_to_the_same_sums),
		cmocka_unit_test(few_hosts_among_many_are_read_by_their_batches),
		cmocka_unit_test(cells_have_the_samples_of_thirds),
		cmocka_unit_test(sources_have_the_order_of_their_first_rows),
		cmocka_unit_test(what_is_not_chosen_is_not_there),
	};

	return cmocka_run_group_tests(tests, make_store, remove_store);
}
#else
static void sqlite_is_not_here(void **state)
{
	(void)state;
	skip_because("built without SQLite");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sqlite_is_not_here) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
