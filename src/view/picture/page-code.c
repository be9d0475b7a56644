/* SPDX-License-Identifier: MIT */
#include "view/picture/page-code.h"

#include <inttypes.h>
#include <stdio.h>

#include "profile/page/page.h"
#include "view/json.h"

static void picture_page_code_add_source(struct json *j, const struct page_row *row)
{
	json_member_unsigned(j, "s", row->line);
	json_member(j, "f", row->file);
	json_member(j, "t", row->text);
}

static void picture_page_code_add_instruction(struct json *j, const struct page_row *row)
{
	char addr[24];

	snprintf(addr, sizeof(addr), "%" PRIx64, row->addr);
	json_member(j, "a", addr);
	json_member(j, "t", row->text);
	if (row->to != PAGE_NONE)
		json_member_unsigned(j, "to", row->to);
}

static void picture_page_code_add_function(struct json *j, const struct page_function *f)
{
	json_object(j);
	json_member_unsigned(j, "name", f->name);
	json_member_unsigned(j, "object", f->object);
	json_member(j, "why", f->why);
	json_key(j, "rows");
	json_array(j);
	for (size_t i = 0; i < f->n; i++) {
		json_object(j);
		if (f->rows[i].is_source)
			picture_page_code_add_source(j, &f->rows[i]);
		else
			picture_page_code_add_instruction(j, &f->rows[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_end(j, '}');
}

void page_code_add(struct text *out, const struct page *p)
{
	struct json j;

	json_init_text(&j, out);
	j.on_line = true;
	j.colon = ":";
	json_object(&j);
	json_key(&j, "functions");
	json_array(&j);
	for (size_t i = 0; i < p->functions.n; i++)
		picture_page_code_add_function(&j, &p->functions.items[i]);
	json_end(&j, ']');
	json_end(&j, '}');
}
