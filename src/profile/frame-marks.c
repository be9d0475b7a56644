/* SPDX-License-Identifier: MIT */
#include "profile/frame-marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/frames.h"
#include "symbol/symbol.h"

void frame_marks_done(struct frame_marks *m)
{
	free(m->known);
}

static void frame_marks_reserve(struct frame_marks *m, size_t n)
{
	size_t before = m->room;

	m->known = array_reserve(m->known, &m->room, n, 1);
	if (m->room > before)
		memset(m->known + before, 0, m->room - before);
}

bool frame_marks_has(struct frame_marks *m, const struct frames *frames, uint32_t frame)
{
	const struct symbol *sym;

	if (!m->regex)
		return false;
	frame_marks_reserve(m, (size_t)frame + 1);
	if (!m->known[frame]) {
		sym = frames_get(frames, frame)->sym;
		m->known[frame] = sym && !regexec(m->regex, sym->name, 0, NULL, 0) ? 2 : 1;
	}
	return m->known[frame] == 2;
}
