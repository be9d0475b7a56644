/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes `perf query` with profiles of any bytes: it ends, with rows or with an error message. The
 * bytes pass through the session and the columns to SQLite. They also choose the query.
 */
#include "base/cleanup.h"
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The options and the query. Words are separated by one blank, and the SQL is the last of them. */
static const struct {
	const char *options, *sql;
} lines[] = {
	{ "", "SELECT * FROM samples" },
	{ "--csv", "SELECT comm, symbol, count(*) FROM samples GROUP BY comm, symbol" },
	{ "--json", "SELECT * FROM stacks" },
	{ "", "SELECT * FROM stack_frames ORDER BY symbol" },
	{ "", "SELECT f.symbol, count(*) FROM samples s JOIN stack_frames f USING (stack_id) "
	      "GROUP BY 1" },
	{ "", "SELECT * FROM frames" },
	{ "", "SELECT * FROM tasks" },
	{ "--csv", "SELECT * FROM events; SELECT * FROM comms; SELECT * FROM mmaps" },
	{ "", "SELECT * FROM forks; SELECT * FROM exits; SELECT * FROM switches" },
	{ "", "SELECT * FROM lost; SELECT * FROM throttles" },
	{ "", "SELECT a.time, (SELECT min(b.time) FROM samples b WHERE b.tid = a.tid AND "
	      "b.time > a.time) FROM samples a WHERE a.cpu = 0 LIMIT 100" },
	{ "", "SELECT bucket(period), percentile(period, 99), stack(stack_id) FROM samples "
	      "GROUP BY 1 ORDER BY time DESC" },
	{ "", "SELECT * FROM sys_enter; SELECT * FROM sched_switch" },
	{ "--schema", NULL },
	{ "--tables", NULL },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t i = fuzz_choose(data, size, ARRAY_SIZE(lines));

	fuzz_command(&(struct fuzzed_command){ .name = "query",
					       .options = lines[i].options,
					       .last = lines[i].sql },
		     data, size);
	return 0;
}
