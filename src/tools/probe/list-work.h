/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Lists existing probes: those of the kernel with the source at their places, and those of the
 * cache.
 */
struct build_id;
struct cached_probe;
struct diag;
struct probe_place;
struct probe_request;
struct trace_probe;

/* The callbacks for each probe. All arguments are borrowed until the call returns. */
struct probe_list_sink {
	void (*on_probe)(void *arg, const struct trace_probe *p, const struct probe_place *place);
	void (*on_cached_image)(void *arg, const char *name, const struct build_id *id);
	/* a probe of the previous image */
	void (*on_cached)(void *arg, const struct cached_probe *p);
	void *arg;
};

/*
 * Reports the probes that @pattern matches ("": all), in order. They are those of the cache if the
 * request asks for it. Errors: tracefs cannot be read.
 */
int probe_list_find(const struct probe_request *rq, const char *pattern,
		    const struct probe_list_sink *sink, struct diag *diag);
