/* SPDX-License-Identifier: MIT */
#include "store/tab-table.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "store/data.h"
#include "store/select.h"
#include "store/tab-rows.h"

static void a_row_comes_back_as_it_was_sent(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *from = fleet_data_new();
	_cleanup_(fleet_data_freep) struct fleet_data *to = fleet_data_new();
	_cleanup_(tab_writer_done) struct tab_writer w = TAB_WRITER_EMPTY;
	struct diag diag = { 0 };
	struct fleet_tab_sink sink = { .data = to, .table = FLEET_FRAME, .diag = &diag };
	struct tab_reader reader;
	int64_t id = fleet_add_function(from, -7, "a\tb'\\\n", true);

	(void)state;
	fleet_tab_add(&w, FLEET_FRAME, fleet_find(from, FLEET_FRAME, id));
	tab_reader_init(&reader, N_FRAME_COLUMNS, fleet_tab_take, &sink);
	assert_int_equal(tab_reader_add(&reader, w.rows.chars, w.rows.length, &diag), 0);
	tab_reader_done(&reader);
	assert_non_null(fleet_find(to, FLEET_FRAME, id));
	assert_string_equal(fleet_find(to, FLEET_FRAME, id)[FRAME_FUNCTION].text, "a\tb'\\\n");
	assert_int_equal(fleet_find(to, FLEET_FRAME, id)[FRAME_IMAGE].number, -7);
}

static void a_target_names_its_columns(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	fleet_tab_target(&t, FLEET_STACK);
	fleet_tab_numbers(&t, (int64_t[]){ 1, INT64_MIN, 3 }, 3);
	assert_string_equal(t.chars, "perf_stack (id, parent, frame)1,-9223372036854775808,3");
}

#define NUMBER                                                                                     \
	{                                                                                          \
		.text = "5", .length = 1                                                           \
	}

static void check_refused(int r, struct diag *diag)
{
	assert_int_equal(r, -EBADMSG);
	assert_non_null(diag->message);
	diag_done(diag);
}

static void cells_of_another_type_are_refused(void **state)
{
	static const struct tab_cell no_number[] = { NUMBER, { .text = "x", .length = 1 }, NUMBER };
	static const struct tab_cell null_text[] = { NUMBER, { 0 }, NUMBER };
	static const struct tab_cell null_host[N_WEIGHT_COLUMNS] = { NUMBER };
	static const struct tab_cell no_weight[N_WEIGHT_COLUMNS] = { NUMBER, NUMBER, NUMBER };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	struct diag diag = { 0 };
	struct fleet_tab_sink stacks = { .data = d, .table = FLEET_STACK, .diag = &diag };
	struct fleet_tab_sink events = { .data = d, .table = FLEET_EVENT, .diag = &diag };
	struct fleet_ids ids = { .diag = &diag };

	(void)state;
	check_refused(fleet_tab_take(&stacks, no_number), &diag);
	check_refused(fleet_tab_take(&events, null_text), &diag);
	check_refused(fleet_tab_take_weight(&stacks, null_host), &diag);
	check_refused(fleet_tab_take_weight(&stacks, no_weight), &diag);
	check_refused(fleet_tab_take_id(&ids, &null_text[1]), &diag);
	assert_int_equal(d->tables[FLEET_STACK].n + d->tables[FLEET_EVENT].n +
				 d->tables[FLEET_SAMPLE].n + ids.n,
			 0);
	fleet_ids_done(&ids);
}

static void ids_are_a_list_and_a_set(void **state)
{
	static const struct tab_cell five = NUMBER;
	struct diag diag = { 0 };
	struct fleet_ids ids = { .diag = &diag };

	(void)state;
	assert_int_equal(fleet_tab_take_id(&ids, &five), 0);
	assert_int_equal(ids.n, 1);
	assert_true(fleet_ids_has(&ids, 5));
	assert_false(fleet_ids_has(&ids, 6));
	fleet_ids_done(&ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_comes_back_as_it_was_sent),
		cmocka_unit_test(a_target_names_its_columns),
		cmocka_unit_test(cells_of_another_type_are_refused),
		cmocka_unit_test(ids_are_a_list_and_a_set),
	};

	return cmocka_run_group_tests_name("fleet/tab-table", tests, NULL, NULL);
}
