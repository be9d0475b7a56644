/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The probes there are: those of the kernel with what is at their places, and those of the cache.
 */
struct build_id;
struct cached_probe;
struct diag;
struct probe_place;
struct probe_request;
struct trace_probe;

/* Who is told of each probe. Everything is borrowed until the call returns. */
struct probe_list_sink {
	void (*on_probe)(void *arg, const struct trace_probe *p, const struct probe_place *place);
	void (*on_cached_image)(void *arg, const char *name, const struct build_id *id);
	void (*on_cached)(void *arg, const struct cached_probe *p); /* of the image before it */
	void *arg;
};

/*
 * Tells of those that @pattern names ("": all), in order: of the cache, if the request says so.
 * Errors: tracefs cannot be read.
 */
int probe_list_find(const struct probe_request *rq, const char *pattern,
		    const struct probe_list_sink *sink, struct diag *diag);
