/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes perfconfig files: parsing ends; a mistake is marked within its line; the values that were
 * read can be printed, and read back as the same; a variable can be set without losing others.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "cli/config-write.h"
#include "cli/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_mark(const struct diag *d)
{
	if (!d->message || (d->excerpt && d->offset > strlen(d->excerpt)))
		abort();
}

static void check_same(const struct config *a, const struct config *b)
{
	if (a->n != b->n)
		abort();
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->items[i].section, b->items[i].section) ||
		    strcmp(a->items[i].name, b->items[i].name) ||
		    strcmp(a->items[i].value, b->items[i].value))
			abort();
}

static void check_round_trip(const struct config *c)
{
	_cleanup_(text_done) struct text printed = TEXT_EMPTY;
	_cleanup_(config_done) struct config again = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		config_write_header(&printed, c->items[i].section);
		config_write_variable(&printed, c->items[i].name, c->items[i].value);
	}
	if (config_parse(&again, printed.chars, printed.length, "again", &d) < 0)
		abort();
	check_same(c, &again);
}

/*
 * Sets one variable, a new one or the last one there is, to a value with every character that needs
 * quoting.
 */
static void check_edit(const char *text, size_t size, const struct config *before, const char *key)
{
	static const char value[] = " a\t#\"\\\n; ";
	_cleanup_(config_done) struct config after = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *edited = NULL;

	if (config_edit(text, size, "f", key, value, &edited, &d) < 0 ||
	    config_parse(&after, edited, strlen(edited), "f", &d) < 0)
		abort();

	const char *got = config_get(&after, key);

	if (!got || strcmp(got, value) || after.n != before->n + !config_get(before, key))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	const char *text = (const char *)data;
	int r = config_parse(&c, text, size, "f", &d);

	check_round_trip(&c);
	if (r < 0) {
		check_mark(&d);
	} else if (c.n < CONFIG_ITEMS_MAX) {
		check_edit(text, size, &c, "fuzz.new-variable");
		check_edit(text, size, &c, "a.x");
	}
	return 0;
}
