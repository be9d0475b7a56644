/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The place of a fleet's profiles, and the choice among them:
 *
 *	sqlite:/var/lib/fleet.db?service=web&since=1h&host=a*
 *	postgresql://collector@db.example/fleet?sslmode=verify-full&event=cycles
 *
 * Parameters that choose profiles are removed; the others belong to the store.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;
struct patience;

/* The filter. Texts are patterns (base/glob.h); NULL: all. */
struct fleet_filter {
	char *host, *service, *container, *comm, *event;
	int64_t since, until; /* seconds since 1970; [since, until) */
	/* The values that are distinguished, besides command and stack. */
	bool by_minute, by_host, by_service;
	bool by_function; /* add up stacks by their innermost frame */
	/*
	 * With @by_minute: leave stacks out, and spread the samples of each over three moments of
	 * its minute (fleet_thirds()).
	 */
	bool by_cell;
};

struct fleet_url {
	char *scheme; /* "postgresql" */
	char *target; /* the URL without the filter; for sqlite: the path */
	struct fleet_filter filter;
	bool is_recent;                  /* since= is an age, so a missing until= means now */
	const struct patience *patience; /* store/patience.h, borrowed; NULL: it never ends */
};

/* True if @text is such a URL: it begins with a scheme of a store. */
bool fleet_is_url(const char *text);

/* Parses @text. Ages ("1h") count back from @now, in seconds. -EINVAL with the mistake in @diag. */
int fleet_url_parse(const char *text, int64_t now, struct fleet_url *ret, struct diag *diag);
void fleet_url_done(struct fleet_url *u);

/* Returns the seconds of "90s", "15m", "1h", "7d", "2w"; -1: it is no age. */
int64_t fleet_age(const char *s);

/*
 * Returns the URL @text with "by=@what" added, as if it had been typed: "minute", "host",
 * "function". The caller frees it.
 */
char *fleet_url_by(const char *text, const char *what);

/* True if the filter leaves out nothing. Distinguished values do not matter. */
bool fleet_filter_is_empty(const struct fleet_filter *f);
