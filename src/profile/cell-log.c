/* SPDX-License-Identifier: MIT */
#include "profile/cell-log.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

void cell_log_init(struct cell_log *log)
{
	*log = (struct cell_log){ 0 };
	contexts_init(&log->contexts, N_CELL_VALUES);
}

void cell_log_done(struct cell_log *log)
{
	for (size_t i = 0; i < log->n; i += CELL_LOG_BLOCK)
		free(log->blocks[i / CELL_LOG_BLOCK]);
	free(log->blocks);
	contexts_done(&log->contexts);
	*log = (struct cell_log){ 0 };
}

static uint32_t cell_log_context_of(struct cell_log *log, const uint64_t values[N_CELL_VALUES])
{
	if (!log->has_last || memcmp(log->last, values, sizeof(log->last)) != 0) {
		log->last_context = contexts_add(&log->contexts, values);
		memcpy(log->last, values, sizeof(log->last));
		log->has_last = true;
	}
	return log->last_context;
}

const struct logged_cell *cell_log_get(const struct cell_log *log, size_t i)
{
	return &log->blocks[i / CELL_LOG_BLOCK][i % CELL_LOG_BLOCK];
}

const struct logged_cell *cell_log_use_up(struct cell_log *log, size_t i)
{
	if (i && i % CELL_LOG_BLOCK == 0)
		free(TAKE(log->blocks[i / CELL_LOG_BLOCK - 1]));
	return cell_log_get(log, i);
}

static void cell_log_append(struct cell_log *log, struct logged_cell cell)
{
	size_t block = log->n / CELL_LOG_BLOCK;

	if (log->n % CELL_LOG_BLOCK == 0) {
		log->blocks = array_reserve(log->blocks, &log->blocks_room, block + 1,
					    sizeof(*log->blocks));
		log->blocks[block] = xmalloc(CELL_LOG_BLOCK * sizeof(**log->blocks));
	}
	log->blocks[block][log->n++ % CELL_LOG_BLOCK] = cell;
}

void cell_log_add(struct cell_log *log, const uint64_t values[N_CELL_VALUES],
		  struct logged_cell cell)
{
	cell.context = cell_log_context_of(log, values);
	cell_log_append(log, cell);
}

static uint32_t *join_contexts(struct cell_log *log, const struct cell_log *from)
{
	uint32_t *here = xcalloc(from->contexts.n + 1, sizeof(*here));

	for (uint32_t i = 0; i < from->contexts.n; i++)
		here[i] = contexts_add(&log->contexts, contexts_get(&from->contexts, i));
	return here;
}

void cell_log_join(struct cell_log *log, struct cell_log *from, uint32_t *const *nodes)
{
	_cleanup_(freep) uint32_t *contexts = join_contexts(log, from);

	for (size_t i = 0; i < from->n; i++) {
		struct logged_cell cell = *cell_log_use_up(from, i);

		cell.context = contexts[cell.context];
		cell.node =
			nodes[contexts_get(&log->contexts, cell.context)[CELL_EVENT]][cell.node];
		cell_log_append(log, cell);
	}
	cell_log_done(from);
}
