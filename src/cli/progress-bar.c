/* SPDX-License-Identifier: MIT */
#include "cli/progress-bar.h"

#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/terminal.h"

#define NS_PER_S    1000000000ull
#define FIRST_NS    (NS_PER_S / 2)
#define INTERVAL_NS (NS_PER_S / 10)
#define ERASE_LINE  "\r\033[K"

static uint64_t progress_bar_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Computes the share without an overflow of done * n / total. */
static size_t progress_bar_share(uint64_t done, uint64_t total, size_t n)
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
	size_t full = progress_bar_share(done, total, inside), from;

	text_addf(t, "%s [", title);
	from = t->length;
	text_pad(t, from, full, 0, '=');
	if (full && full < inside)
		t->chars[t->length - 1] = '>';
	text_pad(t, from, inside, 0, ' ');
	text_addf(t, "] %3zu%%", progress_bar_share(done, total, 100));
}

static void progress_bar_draw(struct progress_bar *b, const char *title, uint64_t done,
			      uint64_t total)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	/*
	 * One column less than the terminal has, because output in the last one would make it
	 * scroll.
	 */
	unsigned width = terminal_width(b->out) - 1;

	progress_bar_format(&t, title, done, total, width);
	fprintf(b->out, "\r%.*s", (int)width, t.chars);
	fflush(b->out);
	b->drawn = true;
}

static struct progress_bar *bar_of(struct progress *p)
{
	return (struct progress_bar *)((char *)p - offsetof(struct progress_bar, progress));
}

static void progress_bar_update(struct progress *p, const char *title, uint64_t done,
				uint64_t total)
{
	struct progress_bar *b = bar_of(p);
	uint64_t now = b->now_ns();

	pthread_mutex_lock(&b->lock);
	if (!b->next_ns) {
		b->next_ns = now + FIRST_NS;
	} else if (now >= b->next_ns) {
		progress_bar_draw(b, title, done, total);
		b->next_ns = now + INTERVAL_NS;
	}
	pthread_mutex_unlock(&b->lock);
}

static void progress_bar_finish(struct progress *p)
{
	struct progress_bar *b = bar_of(p);

	pthread_mutex_lock(&b->lock);
	if (b->drawn) {
		fputs(ERASE_LINE, b->out);
		fflush(b->out);
	}
	b->drawn = false;
	b->next_ns = 0;
	pthread_mutex_unlock(&b->lock);
}

void progress_bar_init(struct progress_bar *b, FILE *out)
{
	*b = (struct progress_bar){
		.progress = { .update = progress_bar_update, .finish = progress_bar_finish },
		.out = out,
		.now_ns = progress_bar_now_ns,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
}

void progress_bar_done(struct progress_bar *b)
{
	progress_bar_finish(&b->progress);
	pthread_mutex_destroy(&b->lock);
}
