/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "profile/shared-values.h"
#include "session/live.h"
#include "tools/top/internal-work.h"

/* A smaller world is not renewed. */
#define NODES_MIN 4096

/* Texts are never forgotten singly. Beyond this size, all of them are. */
#define VALUES_MAX ((size_t)32 << 20)

struct top_question *top_question_new(const struct browse_request *rq)
{
	struct top_question *q = xcalloc(1, sizeof(*q));

	browse_request_copy(&q->rq, rq);
	q->refs = 1;
	return q;
}

void top_question_unref(struct top_question *q)
{
	if (!q || --q->refs)
		return;
	browse_request_done(&q->rq);
	free(q);
}

static void world_free(struct top_world *w)
{
	profile_done(&w->profile);
	top_question_unref(w->question);
	free(w);
}

int top_world_new(struct top *t, struct top_question *q, const struct top_world *before,
		  struct top_world **ret, struct diag *diag)
{
	struct top_world *w = xcalloc(1, sizeof(*w));
	int r;

	q->refs++;
	w->question = q;
	w->refs = 1;
	r = profile_begin_live(&w->profile, &q->rq.profile, t->session,
			       before ? before->profile.env.values : NULL, diag);
	if (r < 0) {
		world_free(w);
		return r;
	}
	w->profile.env.generation = before ? before->profile.env.generation + 1 : 0;
	pthread_mutex_lock(&t->work.lock);
	w->next = t->worlds;
	t->worlds = w;
	pthread_mutex_unlock(&t->work.lock);
	*ret = w;
	return 0;
}

void top_world_unref(struct top *t, struct top_world *w)
{
	struct top_world **at = &t->worlds;

	if (!w || --w->refs)
		return;
	pthread_mutex_lock(&t->work.lock);
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	pthread_mutex_unlock(&t->work.lock);
	world_free(w);
}

/*
 * Replaces the current world by a new one with the data that is left. Texts are kept, unless there
 * are too many.
 */
static void top_world_renew(struct top *t, size_t n_left)
{
	struct top_world *old = t->world, *w;
	bool with_values = shared_values_bytes(old->profile.env.values) < VALUES_MAX;
	_cleanup_(diag_done) struct diag diag = { 0 };

	/* The question has not changed, so a new world for it should be possible. */
	if (top_world_new(t, old->question, with_values ? old : NULL, &w, &diag) < 0)
		return;
	if (with_values)
		collector_carry(w->profile.collector, old->profile.collector);
	w->n_left = with_values ? n_left : 0;
	t->world = w;
	top_world_unref(t, old);
}

void top_world_fade(struct top *t)
{
	struct top_world *w = t->world;
	size_t nodes, left;

	left = collector_fade(w->profile.collector, t->now.zeroes ? 0 : TOP_FADE_LEFT, TOP_FADE_OF,
			      &nodes);
	/*
	 * Frames stay when nodes go. This compares the nodes with those at the time when the world
	 * was made.
	 */
	if (nodes > NODES_MIN + 4 * w->n_left && nodes > 2 * left)
		top_world_renew(t, left);
	else if (shared_values_bytes(w->profile.env.values) >= VALUES_MAX)
		top_world_renew(t, left);
}

static void collect_images(const struct frames *f, struct u64_map *images)
{
	for (uint32_t i = 0; i < frames_count(f); i++) {
		struct image *im = frames_get(f, i)->image;

		if (im)
			u64_map_put(images, (uintptr_t)im, im);
	}
}

struct kept_images {
	struct u64_map images;
	bool all;
};

static bool is_referred_to(void *arg, const struct image *im)
{
	const struct kept_images *k = arg;

	return k->all || u64_map_find(&k->images, (uintptr_t)im);
}

void top_world_forget(struct top *t)
{
	struct kept_images kept = { 0 };

	if (!session_live_forget_is_due(t->session))
		return;
	pthread_mutex_lock(&t->work.lock);
	for (struct top_world *w = t->worlds; w; w = w->next)
		collect_images(w->profile.env.frames, &kept.images);
	pthread_mutex_unlock(&t->work.lock);
	/* Another thread makes listings, which may need any image. */
	kept.all = top_code_is_shown(t);
	session_live_forget_but(t->session, is_referred_to, &kept);
	u64_map_done(&kept.images);
}
