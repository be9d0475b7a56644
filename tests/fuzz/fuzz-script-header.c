/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the first lines of a NAME-report, and the events of a NAME-record: the texts are set, and
 * a word that is passed to the script occurs in the text of its arguments.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script-catalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct named_script s = { .name = "x" };
	struct name_list events = { 0 };

	named_script_read_header((const char *)data, size, &s);
	if (named_script_takes_word(&s, "tx") && !strstr(s.arguments, "tx"))
		abort();
	if (named_script_required(&s) > strlen(s.arguments) || strchr(s.description, '\n'))
		abort();
	named_script_read_events((const char *)data, size, &events);
	for (size_t i = 0; i < events.n; i++)
		if (!*events.items[i] || strchr(events.items[i], ','))
			abort();
	name_list_done(&events);
	free(s.description);
	free(s.arguments);
	return 0;
}
