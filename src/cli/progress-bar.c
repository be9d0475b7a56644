/* SPDX-License-Identifier: MIT */
#include "cli/progress-bar.h"

#include <string.h>
#include <time.h>

#include "base/text.h"
#include "cli/terminal.h"

#define NS_PER_S    1000000000ull
#define FIRST_NS    (NS_PER_S / 2)
#define INTERVAL_NS (NS_PER_S / 10)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Without the overflow of done * n / total. */
static size_t share(uint64_t done, uint64_t total, size_t n)
{
	if (!total || done >= total)
		return total ? n : 0;
	return (size_t)((double)done / (double)total * (double)n);
}

void progress_bar_format(struct text *t, const char *title, uint64_t done, uint64_t total,
			 size_t width)
{
	size_t around = strlen(title) + strlen(" [] 100%");
	size_t inside = width > around ? width - around : 0;
	size_t full = share(done, total, inside), from = t->length;

	text_addf(t, "%s [", title);
	from = t->length;
	text_pad(t, from, full, 0, '=');
	if (full && full < inside)
		t->chars[t->length - 1] = '>';
	text_pad(t, from, inside, 0, ' ');
	text_addf(t, "] %3zu%%", share(done, total, 100));
}

static void update(struct progress *p, uint64_t done, uint64_t total)
{
	struct progress_bar *b = (struct progress_bar *)p;
	struct text t = TEXT_EMPTY;

	if (!b->enabled || now_ns() < b->next_ns)
		return;
	/* One column less than the terminal has: the last one would make it scroll. */
	progress_bar_format(&t, b->title, done, total, terminal_width(b->out) - 1);
	fprintf(b->out, "\r%s", t.chars);
	fflush(b->out);
	text_done(&t);
	b->drawn = true;
	b->next_ns = now_ns() + INTERVAL_NS;
}

void progress_bar_init(struct progress_bar *b, const char *title, FILE *out)
{
	*b = (struct progress_bar){
		.progress.update = update,
		.title = title,
		.out = out,
		.enabled = terminal_is(out),
		.next_ns = now_ns() + FIRST_NS,
	};
}

void progress_bar_done(struct progress_bar *b)
{
	if (b->drawn)
		fprintf(b->out, "\r%*s\r", (int)terminal_width(b->out) - 1, "");
	b->drawn = b->enabled = false;
}
