/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the URL of a store: it is parsed, or an error is reported, and in the SQL of its filter
 * all quotes are closed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/push/fleet-rows-work.h"
#include "store/select.h"
#include "store/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks that no text of the user appears outside of quotes: only the program's own SQL does. */
static void check_sql(const struct fleet_filter *f, enum fleet_dialect dialect)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	bool quoted = false;

	fleet_select_weights(&t, f, INT64_MAX, dialect);
	for (const char *s = t.chars; *s; s++) {
		if (*s == '\'')
			quoted = !quoted;
		else if (quoted && *s == '\\' && dialect == FLEET_CLICKHOUSE)
			s++;
		else if (!quoted &&
			 (*s == ';' || *s == '-' || *s == '\\' || (unsigned char)*s > 127))
			abort();
	}
	if (quoted)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_url u;
	int r = fleet_url_parse(text, 1000000000, &u, &diag);

	cgroup_service(&name, text);
	cgroup_container(&name, text);
	if (r < 0) {
		if (r != -EINVAL || !diag.message)
			abort();
		return 0;
	}
	for (int d = FLEET_POSTGRESQL; d <= FLEET_CLICKHOUSE; d++)
		check_sql(&u.filter, (enum fleet_dialect)d);
	fleet_url_done(&u);
	return 0;
}
