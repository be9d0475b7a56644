/* SPDX-License-Identifier: MIT */
#include "profile/collector-strip.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/collector-worker.h"
#include "profile/time-strip.h"
#include "session/machine.h"
#include "session/sample-filter.h"

void collector_strip_init(struct collector_worker *w)
{
	if (w->options->with_strip)
		w->strip = xcalloc(1, sizeof(*w->strip));
}

void collector_strip_done(struct collector_worker *w)
{
	free(w->strip);
	free(w->elsewhere.known);
}

static bool collector_strip_passes_place(const struct collector_options *o, uint32_t frame)
{
	const struct frame *f = frames_get(o->env->frames, frame);
	const struct location loc = {
		.addr = f->addr, .map = f->map, .image_addr = f->addr, .sym = f->sym
	};

	return sample_filter_passes_place(o->filter, &loc);
}

/* Each frame is checked once, because there are few frames but many samples. */
bool collector_is_elsewhere(struct collector_worker *w, uint32_t frame)
{
	struct place_marks *m = &w->elsewhere;
	size_t before = m->room;

	m->known = array_reserve(m->known, &m->room, (size_t)frame + 1, 1);
	if (m->room > before)
		memset(m->known + before, 0, m->room - before);
	if (!m->known[frame])
		m->known[frame] = collector_strip_passes_place(w->options, frame) ? 1 : 2;
	return m->known[frame] == 2;
}

bool collector_strip_take(struct collector_worker *w, const struct collected *c)
{
	const struct sample_filter *f = w->options->filter;
	bool left_out = c->left_out;

	if (!left_out && f && sample_filter_has_places(f))
		left_out = collector_is_elsewhere(
			w, collected_frame(w, c, address_mode_of(c->sample->misc), c->sample->ip));
	if (!left_out)
		time_strip_add(w->strip, c->time, 1);
	return !f || sample_filter_passes_moment(f, c->time, c->sample->cpu);
}

void collector_strip_merge(struct collector_worker *to, const struct collector_worker *from)
{
	if (to->strip)
		time_strip_merge(to->strip, from->strip);
}
