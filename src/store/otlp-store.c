/* SPDX-License-Identifier: MIT */
/*
 * Sends profiles to an OpenTelemetry collector, over HTTP. Nothing is read back, and the receiver
 * decides whether data that was sent twice counts once: profiles have ids by which it can tell.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/protobuf.h"
#include "base/text.h"
#include "store/data.h"
#include "store/http.h"
#include "store/otlp-profile.h"
#include "store/store.h"
#include "store/url.h"

/* OTLP/HTTP's path for profiles, while that signal is in development. */
#define SIGNAL_PATH "/v1development/profiles"

struct otlp_store {
	struct fleet_store store;
	char *url, *user;
	struct http *http;
	const struct patience *patience;
};

static void otlp_store_close(struct fleet_store *store)
{
	struct otlp_store *s = (struct otlp_store *)store;

	http_free(s->http);
	free(s->url);
	free(s->user);
	free(s);
}

/* Parses otlp+http://user@host:port/path; the signal's path is added unless it is there. */
static void take_url(struct otlp_store *s, const char *target)
{
	const char *start = target + strlen("otlp+"), *host = strstr(start, "://") + 3;
	size_t n = strcspn(host, "/?");
	const char *at = memrchr(host, '@', n);
	size_t n_all = strlen(start);
	size_t n_path = strlen(SIGNAL_PATH);
	bool has_path = n_all >= n_path && !strcmp(start + n_all - n_path, SIGNAL_PATH);

	while (n_all && start[n_all - 1] == '/')
		n_all--;
	if (at)
		s->user = xstrndup(host, (size_t)(at - host));
	s->url = xasprintf("%.*s%.*s%s", (int)(host - start), start,
			   (int)(start + n_all - (at ? at + 1 : host)), at ? at + 1 : host,
			   has_path ? "" : SIGNAL_PATH);
}

static int otlp_store_open(const struct fleet_url *u, bool writes, struct fleet_store **ret,
			   struct diag *diag)
{
	struct otlp_store *s = xcalloc(1, sizeof(*s));
	int r = http_new(&s->http, diag);

	(void)writes;
	s->store.class = &fleet_otlp;
	s->patience = u->patience;
	take_url(s, u->target);
	if (r < 0) {
		otlp_store_close(&s->store);
		return r;
	}
	*ret = &s->store;
	return 0;
}

/*
 * Returns the errno for a status. These are to be tried again (OTLP/HTTP, "Failures"); a proxy's
 * other statuses are permanent.
 */
static int otlp_store_errno_of(int status)
{
	switch (status) {
	case 408:
	case 429:
	case 502:
	case 503:
	case 504:
		return -EAGAIN;
	case 401:
	case 403:
		return -EACCES;
	default:
		return -EPROTO;
	}
}

static int otlp_store_refuse(const struct otlp_store *s, int status, struct diag *diag)
{
	int r = otlp_store_errno_of(status);

	diag_set(diag, r, "%s answers with status %d", s->url, status);
	if (r == -EACCES)
		diag_hint(diag, "The password for HOST comes from ~/.netrc, or from "
				"PERF_FLEET_PASSWORD if the URL has a user.");
	else if (status == 404)
		diag_hint(diag, "Does the collector take profiles? They are still in development "
				"(--feature-gates=service.profilesSupport).");
	return r;
}

static int otlp_store_put(struct fleet_store *store, const struct fleet_data *d,
			  struct fleet_receipt *ret, struct diag *diag)
{
	static const char *const headers[] = { "Content-Type: application/x-protobuf", NULL };
	struct otlp_store *s = (struct otlp_store *)store;
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	_cleanup_(http_answer_done) struct http_answer answer = { .refusal = TEXT_EMPTY };
	int r;

	fleet_otlp_write(&p, d);
	r = http_post(s->http,
		      &(struct http_request){
			      .url = s->url,
			      .headers = headers,
			      .user = s->user,
			      .password = s->user ? getenv("PERF_FLEET_PASSWORD") : NULL,
			      .body = p.out.data,
			      .size = p.out.n,
			      .patience = s->patience,
		      },
		      NULL, NULL, &answer, diag);
	if (r < 0)
		return r;
	if (answer.status < 200 || answer.status > 299)
		return otlp_store_refuse(s, answer.status, diag);
	ret->n_new += d->tables[FLEET_BATCH].n;
	return 0;
}

static const char *const schemes[] = { "otlp+http", "otlp+https", NULL };

const struct fleet_store_class fleet_otlp = {
	.schemes = schemes,
	.open = otlp_store_open,
	.close = otlp_store_close,
	.put = otlp_store_put,
};
