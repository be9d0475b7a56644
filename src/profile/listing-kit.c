/* SPDX-License-Identifier: MIT */
#include "profile/listing-kit.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "profile/annotate.h"
#include "symbol/text-files.h"

int listing_kit_init(struct listing_kit *k, const struct annotate_request *how, unsigned n,
		     struct diag *diag)
{
	struct listing_tools t = {
		.with_lines = how->print_line,
		.raw = how->asm_raw == CHOICE_YES,
		.lock = &k->lock,
	};
	int r = how->style ? disassembler_syntax_parse(how->style, &t.syntax, diag) : 0;

	*k = (struct listing_kit){ 0 };
	if (r < 0)
		return r;
	pthread_mutex_init(&k->lock, NULL);
	t.code = k->code = code_store_new();
	if (how->source != CHOICE_NO)
		t.sources = k->sources = text_files_new(&(struct text_files_options){
			.prefix = how->prefix, .strip = how->prefix_strip });
	k->tools = xcalloc(n, sizeof(*k->tools));
	k->n = n;
	for (unsigned i = 0; i < n; i++)
		k->tools[i] = t;
	return 0;
}

void listing_kit_set_types(struct listing_kit *k, struct access_types *types)
{
	for (unsigned i = 0; i < k->n; i++)
		k->tools[i].types = types;
}

void listing_kit_done(struct listing_kit *k)
{
	if (!k->tools)
		return;
	for (unsigned i = 0; i < k->n; i++)
		listing_tools_done(&k->tools[i]);
	free(k->tools);
	text_files_free(k->sources);
	code_store_free(k->code);
	pthread_mutex_destroy(&k->lock);
	*k = (struct listing_kit){ 0 };
}
