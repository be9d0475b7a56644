/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording of process 7 ("work"), its profile, and a page of it.
 */
#include "session/recording.h"

#include "profile/page/make.h"
#include "profile/profile.h"
#include "profile/page/page.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct profile profile;
	struct page page;
	struct diag diag;
};

__attribute__((unused)) static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	comm(&f.rec, 7, 7, "work", 1);
	*state = &f;
	return 0;
}

__attribute__((unused)) static int tear_down(void **state)
{
	struct fixture *f = *state;

	page_done(&f->page);
	profile_done(&f->profile);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

/* Stores the recording, and reads it as @wanted requests. */
__attribute__((unused)) static void collect(struct fixture *f, struct profile_request wanted)
{
	stored(&f->rec, f->path);
	wanted.path = f->path;
	wanted.plan.sort = "dso,symbol";
	wanted.max_stack = PROFILE_MAX_STACK;
	assert_int_equal(profile_open(&f->profile, &wanted, &f->diag), 0);
	assert_int_equal(profile_collect(&f->profile, &f->diag), 0);
}

/* Returns the remark that contains @part, or NULL. */
__attribute__((unused)) static const struct page_remark *remark(const struct page *p,
								const char *part)
{
	for (size_t i = 0; i < p->quality.n; i++)
		if (strstr(p->quality.items[i].text, part))
			return &p->quality.items[i];
	return NULL;
}
