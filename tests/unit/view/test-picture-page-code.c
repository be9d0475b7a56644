/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/page/page.h"
#include "view/picture/page.h"

static void rows_are_source_or_instructions(void **state)
{
	_cleanup_(page_done) struct page p;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct page_row *rows = xcalloc(2, sizeof(*rows));

	(void)state;
	page_init(&p);
	rows[0] = (struct page_row){
		.is_source = true, .text = "for (;;)", .file = "main.c", .line = 12
	};
	rows[1] = (struct page_row){ .text = "b \"x\"", .addr = 0x401136, .to = 1 };
	*ARRAY_ADD(&p.functions) =
		(struct page_function){ .name = 7, .object = 2, .rows = rows, .n = 2 };
	*ARRAY_ADD(&p.functions) = (struct page_function){ .why = "it is gone" };
	page_code_add(&t, &p);
	assert_string_equal(t.chars,
			    "{\"functions\":[{\"name\":7, \"object\":2, \"rows\":["
			    "{\"s\":12, \"f\":\"main.c\", \"t\":\"for (;;)\"}, "
			    "{\"a\":\"401136\", \"t\":\"b \\\"x\\\"\", \"to\":1}]}, "
			    "{\"name\":0, \"object\":0, \"why\":\"it is gone\", \"rows\":[]}]}");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_source_or_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
