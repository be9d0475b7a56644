/* SPDX-License-Identifier: MIT */
#pragma once
/* The output of view/dump/dump for a recording made by hand, without the bytes of the records. */
#include "session/recording.h"
#include "view/dump/dump.h"
#include "printed.h"

struct dumping {
	struct dump dump;
	struct printed printed;
};

static inline int dump_one(void *arg, const struct delivered *d)
{
	struct dumping *p = arg;

	dump_record(&p->dump, d, p->printed.out);
	return 0;
}

static inline int dump_all(void *arg, const struct record_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		dump_one(arg, &b->items[i]);
	return 0;
}

/* Returns everything that is printed of @rec. The caller frees it. */
static inline char *dumped(struct recording *rec)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct dumping p;
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPES_ALL,
		.records = dump_all,
		.user = dump_one,
		.arg = &p,
	};

	dump_init(&p.dump, s);
	printed_open(&p.printed);
	assert_int_equal(session_feed(s, NULL, &consumer, &diag), 0);
	dump_done(&p.dump);
	assert_int_equal(fclose(p.printed.out), 0);
	return p.printed.text;
}

static inline bool is_of_bytes(const char *line)
{
	return !*line || strchr(line, '@') || !strcmp(line, ".") || !strncmp(line, ". ", 2);
}

/* Checks that the lines of @rec without those that show bytes are @wanted. */
static inline void assert_dumped(struct recording *rec, const char *wanted)
{
	_cleanup_(freep) char *text = dumped(rec);
	struct printed kept;
	char *rest = text;

	printed_open(&kept);
	for (char *line; (line = strsep(&rest, "\n"));)
		if (!is_of_bytes(line))
			fprintf(kept.out, "%s\n", line);
	assert_printed(&kept, wanted);
}
