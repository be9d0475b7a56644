/* SPDX-License-Identifier: MIT */
#include "tui/popup.h"

#define CTRL_C 3

struct area popup_box(struct panels *p, int width, int height, const char *title)
{
	struct screen *s = panels_screen(p);
	struct area all = panels_area(p), box;

	box.width = width + 2 < all.width ? width + 2 : all.width;
	box.height = height + 2 < all.height ? height + 2 : all.height;
	box.y = (all.height - box.height) / 2;
	box.x = (all.width - box.width) / 2;
	screen_clear(s, box, STYLE_NORMAL);
	screen_put_box(s, box, STYLE_FRAME, title);
	return (struct area){ box.y + 1, box.x + 1, box.height > 2 ? box.height - 2 : 0,
			      box.width > 2 ? box.width - 2 : 0 };
}

bool popup_is_closed_by(const struct screen_input *in)
{
	return in->key == 'q' || in->key == SCREEN_KEY_ESCAPE || in->key == CTRL_C;
}

enum panel_next popup_answered(struct panels *p, struct panel *owner, enum panel_next next)
{
	(void)p;
	if (next == PANEL_CLOSE && owner) {
		panels_close(owner);
		return PANEL_STAY;
	}
	return next == PANEL_QUIT ? PANEL_QUIT : PANEL_STAY;
}
