/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where a fleet's profiles are, and which of them are meant:
 *
 *	sqlite:/var/lib/fleet.db?service=web&since=1h&host=a*
 *	postgresql://collector@db.example/fleet?sslmode=verify-full&event=cycles
 *
 * Parameters that choose profiles are taken out; the others are those of the store.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct patience;

/* Texts are patterns (base/glob.h); NULL: all. */
struct fleet_filter {
	char *host, *service, *container, *comm, *event;
	int64_t since, until; /* seconds since 1970; [since, until) */
	/* What is told apart, besides command and stack. */
	bool by_minute, by_host, by_service;
	bool by_function; /* stacks are added up by their innermost frame */
};

struct fleet_url {
	char *scheme; /* "postgresql" */
	char *target; /* the URL without the filter; of sqlite: the path */
	struct fleet_filter filter;
	bool is_recent;                  /* since= is an age: until= is now, if it is not there */
	const struct patience *patience; /* store/patience.h, borrowed; NULL: it has no end */
};

/* Whether @text is meant as one: it begins with a scheme of a store. */
bool fleet_is_url(const char *text);

/* Ages ("1h") count back from @now, in seconds. -EINVAL with the mistake in @diag. */
int fleet_url_parse(const char *text, int64_t now, struct fleet_url *ret, struct diag *diag);
void fleet_url_done(struct fleet_url *u);

/* Seconds of "90s", "15m", "1h", "7d", "2w"; -1: it is none. */
int64_t fleet_age(const char *s);

/*
 * The URL @text with "by=@what" added, as if it had been typed: "minute", "host", "function". The
 * caller frees it.
 */
char *fleet_url_by(const char *text, const char *what);

/* A filter that leaves out nothing? Of what is told apart, nothing is said. */
bool fleet_filter_is_empty(const struct fleet_filter *f);
