/* SPDX-License-Identifier: MIT */
#include "tools/diff/hosts-work.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/machine.h"

/* Hosts are numbered from 1, in their order. */
static size_t host_of(const struct report_row *row, size_t n_keys)
{
	return (size_t)row->values[n_keys - 1];
}

static void count_hosts(struct diff_hosts *h, const struct report_rows *rows)
{
	for (size_t i = 0; i < rows->n + rows->n_hidden; i++) {
		size_t host = host_of(&rows->rows[i], rows->options->n_keys);

		h->n = host > h->n ? host : h->n;
	}
}

static void name_hosts(struct diff_hosts *h, const struct session *s)
{
	h->names = xcalloc(h->n + 1, sizeof(*h->names));
	for (size_t i = 0; i < h->n; i++) {
		h->names[i] = machine_cgroup(s, i + 1);
		if (!h->names[i])
			h->names[i] = "";
	}
}

/* Rows that filters leave out count in what all weigh. */
static void diff_hosts_weigh(struct report_rows *part, const struct report_row *row)
{
	weight_add(&part->all, row->self);
	if (row->is_hidden)
		return;
	weight_add(&part->shown, row->self);
	part->n++;
}

static void part_rows(struct diff_hosts *h, size_t event, struct report_rows *rows)
{
	struct report_rows *parts = &h->parts[event * h->n];
	size_t n_keys = rows->options->n_keys, at = 0;

	for (size_t i = 0; i < h->n; i++)
		parts[i] = (struct report_rows){ .options = &h->options,
						 .event = rows->event,
						 .tally = rows->tally };
	for (size_t i = 0; i < rows->n + rows->n_hidden; i++)
		if (host_of(&rows->rows[i], n_keys))
			diff_hosts_weigh(&parts[host_of(&rows->rows[i], n_keys) - 1],
					 &rows->rows[i]);
	h->rows[event] = xcalloc(rows->n + 1, sizeof(*h->rows[event]));
	for (size_t i = 0; i < h->n; i++) {
		parts[i].rows = h->rows[event] + at;
		at += parts[i].n;
		parts[i].n = 0;
	}
	for (size_t i = 0; i < rows->n; i++) {
		size_t host = host_of(&rows->rows[i], n_keys);

		if (host)
			parts[host - 1].rows[parts[host - 1].n++] = rows->rows[i];
	}
}

void diff_hosts_init(struct diff_hosts *h, struct report_rows *const *rows, size_t n)
{
	*h = (struct diff_hosts){ .n_events = n };
	if (!n)
		return;
	h->options = *rows[0]->options;
	h->options.n_keys--;
	for (size_t i = 0; i < n; i++)
		count_hosts(h, rows[i]);
	name_hosts(h, h->options.env->session);
	h->parts = xcalloc(n * h->n + 1, sizeof(*h->parts));
	h->rows = xcalloc(n, sizeof(*h->rows));
	for (size_t i = 0; i < n; i++) {
		part_rows(h, i, rows[i]);
		/* Each row is needed once. */
		free(rows[i]->rows);
		rows[i]->rows = NULL;
		rows[i]->n = rows[i]->n_hidden = 0;
	}
}

void diff_hosts_done(struct diff_hosts *h)
{
	for (size_t i = 0; i < h->n_events; i++)
		free(h->rows[i]);
	free(h->rows);
	free(h->parts);
	free(h->names);
}

const struct report_rows *diff_hosts_rows(const struct diff_hosts *h, size_t event, size_t host)
{
	return &h->parts[event * h->n + host];
}
