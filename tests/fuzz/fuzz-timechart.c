/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the model of a time chart with events in any order, with any numbers: it does not crash,
 * the times of a lane add up whether it was folded or not, and the picture can be written.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/sched-event.h"
#include "tools/timechart/timechart-model.h"
#include "tools/timechart/rows-model.h"
#include "base/memory.h"
#include "tools/timechart/timechart-view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each event is made of this many bytes. */
#define EVENT_BYTES 8

static void feed_sched(struct chart *c, const uint8_t *b, uint64_t time)
{
	static const char comms[][16] = { "", "sh", "<b>&\x1b[31m\xff", "sixteen letters!" };
	const struct sched_event e = { .kind = (enum sched_kind)(b[1] % SCHED_KINDS),
				       .time = time,
				       .cpu = b[2] % 5 ? b[2] % 5 : UINT32_MAX,
				       .machine_tid = b[3] % 16,
				       .in_interrupt = b[3] & 16,
				       .tid = b[4] % 16,
				       .comm = { comms[b[6] % 4], b[6] % 17 },
				       .state = (enum task_state)(b[5] % 5),
				       .next_tid = b[7] % 16,
				       .next_comm = { comms[b[6] / 4 % 4], b[6] / 4 % 17 },
				       .target_cpu = b[7] % 5 };

	chart_sched(c, &e, b[5] & 128 ? LANE_NONE : b[5]);
}

static void feed(struct chart *c, const uint8_t *b, uint64_t time)
{
	enum chart_io kind = (enum chart_io)(1 + b[3] % (CHART_IO_KINDS - 1));

	switch (b[0] % 8) {
	case 0:
		chart_idle(c, time, b[2], b[3] % 9 ? b[3] % 9 : UINT32_MAX);
		break;
	case 1:
		chart_frequency(c, time, b[2], b[3] * 1000u);
		break;
	case 2:
		chart_call(c, time, b[2] % 16, kind, b[4]);
		break;
	case 3:
		chart_return(c, time, b[2] % 16, kind, (int8_t)b[4] * 100);
		break;
	default:
		feed_sched(c, b, time);
	}
}

static uint64_t sum_of(const struct lanes *l, const struct lane *lane)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < lane->n; i++) {
		const struct lane_piece *p = &lane->items[i];

		for (size_t s = 0; p->fold != LANE_NONE && s < LANE_STATES; s++)
			sum += l->folds.items[p->fold].ns[s];
		if (p->fold == LANE_NONE)
			sum += lane_piece_end(lane, i) - p->start;
	}
	return sum;
}

static void check(const struct chart *c)
{
	for (size_t i = 0; i < c->lanes.n; i++) {
		const struct lane *lane = &c->lanes.items[i];
		uint64_t sum = 0;

		for (size_t s = 0; s < LANE_STATES; s++)
			sum += lane->ns[s];
		if (sum != lane->end - lane->begin || sum_of(&c->lanes, lane) != sum)
			abort();
	}
}

static void draw(const struct chart *c, struct chart_rows *rows)
{
	uint32_t *cpus = xcalloc(c->cpus.n + 1, sizeof(*cpus));
	FILE *out = fopen("/dev/null", "w");

	for (uint32_t i = 0; i < c->cpus.n; i++)
		cpus[i] = i;
	if (out) {
		timechart_svg_print(&(struct timechart_picture){ .chart = c,
								 .rows = rows,
								 .cpus = cpus,
								 .with_cpus = true,
								 .with_tasks = true,
								 .width = 400,
								 .highlight = "sh",
								 .title = "x" },
				    out);
		fclose(out);
	}
	free(cpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chart c;
	struct chart_rows rows;
	uint64_t time = 1000;

	chart_init(&c, &(struct chart_options){ .max_pieces = size > 4 ? 16 + data[0] : 0,
						.skip_eagain = size & 1,
						.io_min_ns = size & 2 ? 5000 : 0,
						.io_merge_ns = size & 4 ? 100 : 0 });
	for (size_t i = 0; i + EVENT_BYTES <= size; i += EVENT_BYTES) {
		/* Times mostly move forwards, sometimes far, and sometimes backwards. */
		time += data[i] < 250 ? (uint64_t)data[i + 1] * 97
				      : (uint64_t)(int64_t)(int8_t)data[i + 1] << data[i + 2] % 48;
		feed(&c, data + i, time);
	}
	chart_finish(&c);
	check(&c);
	chart_rows_init(&rows, &c, &(struct chart_rows_request){ .least = 15 });
	draw(&c, &rows);
	chart_rows_done(&rows);
	chart_done(&c);
	return 0;
}
