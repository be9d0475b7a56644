/* SPDX-License-Identifier: MIT */
/* Samples of a live profile by address, from the moment at which a user views a function. */
#include <stdlib.h>

#include "base/memory.h"
#include "profile/annotation.h"
#include "profile/code-functions.h"
#include "tools/top/internal-work.h"

struct top_code {
	struct top_code *next;
	struct top_question *question; /* whose filters are used */
	struct sample_filter_request wanted;
	struct sample_filter *filter;
	struct annotation *annotation;
	struct code_functions *functions;
};

static void code_free(struct top_code *c)
{
	annotation_free(c->annotation);
	sample_filter_free(c->filter);
	top_question_unref(c->question);
	free(c);
}

/* Releases a listing that is no longer viewed. */
static void forget_code(void *arg, struct code_functions *functions)
{
	struct top *t = arg;
	struct top_code **at = &t->codes, *c;

	pthread_mutex_lock(&t->code_lock);
	while ((c = *at) && c->functions != functions)
		at = &c->next;
	if (c)
		*at = c->next;
	pthread_mutex_unlock(&t->code_lock);
	if (c)
		code_free(c);
}

static int top_code_make_filter(struct top_code *c, struct diag *diag)
{
	c->wanted = filter_request_of_samples(&c->question->rq.profile.filter, NULL);
	c->wanted.n_spans = 0;
	return sample_filter_new(&c->wanted, &c->filter, diag);
}

int top_code(struct browse *b, const struct browse_snapshot *s, const struct annotate_request *how,
	     size_t first, size_t n, struct code_functions **ret, struct diag *diag)
{
	struct top *t = (struct top *)b;
	struct top_code *c = xcalloc(1, sizeof(*c));
	int r;

	c->question = top_question_new(s->request);
	r = top_code_make_filter(c, diag);
	if (r >= 0)
		r = code_functions_new(t->session, how, first, n, &c->functions, diag);
	if (r < 0) {
		code_free(c);
		return r;
	}
	c->annotation = annotation_new(&(struct annotation_options){
		.session = t->session, .filter = c->filter, .n_workers = 1, .forgets = true });
	code_functions_on_free(c->functions, forget_code, t);
	*ret = c->functions;
	pthread_mutex_lock(&t->code_lock);
	c->next = t->codes;
	t->codes = c;
	pthread_mutex_unlock(&t->code_lock);
	return 0;
}

void top_code_take(struct top *t, const struct sample_batch *b)
{
	pthread_mutex_lock(&t->code_lock);
	for (struct top_code *c = t->codes; c; c = c->next)
		annotation_take(c->annotation, b);
	pthread_mutex_unlock(&t->code_lock);
}

void top_code_refresh(struct top *t, unsigned left, unsigned of)
{
	pthread_mutex_lock(&t->code_lock);
	for (struct top_code *c = t->codes; c; c = c->next) {
		code_functions_publish(c->functions, c->annotation);
		annotation_fade(c->annotation, left, of);
	}
	pthread_mutex_unlock(&t->code_lock);
}

bool top_code_is_shown(struct top *t)
{
	bool is;

	pthread_mutex_lock(&t->code_lock);
	is = t->codes != NULL;
	pthread_mutex_unlock(&t->code_lock);
	return is;
}
