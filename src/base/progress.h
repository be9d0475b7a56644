/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How far a long piece of work has come, told upwards.
 *
 * A layer that reads or computes for seconds takes a `struct progress *` (NULL when nobody looks)
 * and calls progress_update() as often as it likes: throttling belongs to the receiver, which
 * embeds this struct (cli/progress-bar.h).
 */
#include <stdint.h>

struct progress {
	void (*update)(struct progress *p, uint64_t done, uint64_t total);
};

static inline void progress_update(struct progress *p, uint64_t done, uint64_t total)
{
	if (p)
		p->update(p, done, total);
}
