/* SPDX-License-Identifier: MIT */
#include "tools/push/fleet-rows-work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/build-id.h"
#include "profile/profile.h"
#include "profile/weighed.h"
#include "session/session.h"
#include "store/content-id.h"
#include "store/data.h"
#include "symbol/symbolizer.h"

#define MINUTE_NS UINT64_C(60000000000)

/* The size of the pieces in which a recording is hashed: a multiple of the words of the hash. */
#define HASH_PIECE (64 << 10)

#define LABELS (1u << EXPORT_LABEL_COMM | 1u << EXPORT_LABEL_CGROUP | 1u << EXPORT_LABEL_TIME)

/* The conversion of times of the recording to minutes. */
struct minutes {
	uint64_t shift_ns; /* added to the times */
	int64_t base;      /* then added, in seconds; 0 if the wall clock is known */
	bool is_one;       /* there are no times, so all are one minute */
};

struct fleet_filling {
	const struct fleet_rows_request *rq;
	struct fleet_data *data;
	struct profile profile;
	struct code_table code;
	struct minutes minutes;
	const char *host;
	const struct session_event **events;
	int64_t *event_ids;
	struct {
		int64_t *items; /* by location: the ids of its frames, outermost first */
		size_t n, room;
	} frames;
	struct {
		size_t *items; /* by location: 1 + the index of its frames; 0: not known yet */
		size_t n, room;
	} first_frames;
	struct text service, container;
};

static int64_t file_seconds(const struct fleet_rows_request *rq)
{
	struct stat st;

	return stat(rq->path, &st) < 0 || !S_ISREG(st.st_mode) ? rq->now : st.st_mtime;
}

static struct minutes find_minutes(const struct fleet_filling *f)
{
	const struct features *facts = session_features(f->profile.session);
	int64_t end = file_seconds(f->rq);
	bool has_times = features_have(facts, FEATURE_SAMPLE_TIME) && facts->sample_time.last;

	if (features_have(facts, FEATURE_CLOCK_DATA))
		return (struct minutes){ .shift_ns = facts->clock_data.wall_clock_ns -
						     facts->clock_data.clockid_ns };
	if (!has_times)
		return (struct minutes){ .base = end / 60 * 60, .is_one = true };

	uint64_t first = facts->sample_time.first, last = facts->sample_time.last;
	int64_t length = last > first ? (int64_t)((last - first) / 1000000000) : 0;

	return (struct minutes){ .shift_ns = 0 - first,
				 .base = (end > length ? end - length : 0) / 60 * 60 };
}

static void hash_file(struct content_hash *h, const char *path)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	_cleanup_(freep) char *piece = xmalloc(HASH_PIECE);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	while ((n = read(fd, piece, HASH_PIECE)) > 0)
		content_hash_bytes(h, piece, (size_t)n);
}

/*
 * Returns an identifier that distinguishes this recording from others of the same host, even if
 * their samples are equal, and that is the same whenever it is sent: the time at which it was made,
 * to the nanosecond. If the recording does not contain the time, the identifier is a hash of its
 * bytes.
 */
static uint64_t find_origin(const struct fleet_filling *f)
{
	const struct features *facts = session_features(f->profile.session);
	bool has_times = features_have(facts, FEATURE_SAMPLE_TIME) && facts->sample_time.last;
	struct content_hash h;

	content_hash_begin(&h);
	if (features_have(facts, FEATURE_CLOCK_DATA)) {
		content_hash_number(&h, facts->clock_data.wall_clock_ns);
		content_hash_number(&h, facts->clock_data.clockid_ns);
	}
	if (has_times) {
		content_hash_number(&h, facts->sample_time.first);
		content_hash_number(&h, facts->sample_time.last);
	} else {
		hash_file(&h, f->rq->path);
	}
	return (uint64_t)content_hash_id(&h);
}

static int64_t minute_of(const struct fleet_filling *f, uint64_t time)
{
	/* Samples without a time count for the beginning. */
	if (f->minutes.is_one || time > INT64_MAX)
		return f->minutes.base;
	return f->minutes.base + (int64_t)(time / MINUTE_NS * 60);
}

/*
 * Returns the name of an image. The name of a JIT code file contains the pid, which would make its
 * functions different on each host.
 */
static const char *fleet_image_name(const struct code_image *im)
{
	const char *name = code_image_name(im), *base = strrchr(name, '/');

	base = base ? base + 1 : name;
	if (!strncmp(base, "perf-", 5) && strspn(base + 5, "0123456789") &&
	    !strcmp(base + 5 + strspn(base + 5, "0123456789"), ".map"))
		return "[JIT]";
	return strncmp(name, "[JIT]", 5) ? name : "[JIT]";
}

static int64_t push_fleet_rows_add_image(struct fleet_filling *f, const struct code_location *l)
{
	const struct code_image *im;
	char id[BUILD_ID_TEXT_MAX];

	if (l->image == CODE_NONE)
		return fleet_add_image(f->data, "", "[unknown]", l->is_of_kernel);
	im = &f->code.images.items[l->image];
	return fleet_add_image(f->data, build_id_format(image_build_id(im->image), id),
			       fleet_image_name(im), l->is_of_kernel);
}

static int64_t push_fleet_rows_add_address(struct fleet_filling *f, int64_t image,
					   const struct code_location *l)
{
	const struct code_image *im;

	/* Addresses without a mapping cannot be compared between runs. */
	if (l->image == CODE_NONE || l->is_of_kernel)
		return fleet_add_address(f->data, image, 0);
	im = &f->code.images.items[l->image];
	return fleet_add_address(f->data, image, l->addr - im->start + im->offset);
}

static void push_fleet_rows_add_frames(struct fleet_filling *f, const struct code_location *l)
{
	int64_t image = push_fleet_rows_add_image(f, l);

	if (!l->n_lines)
		*ARRAY_ADD(&f->frames) = push_fleet_rows_add_address(f, image, l);
	for (uint32_t i = l->n_lines; i-- > 0;) {
		uint32_t function = f->code.lines.items[l->first_line + i].function;
		const struct code_function *fn = function == CODE_NONE
							 ? NULL
							 : &f->code.functions.items[function];

		*ARRAY_ADD(&f->frames) = fn ? fleet_add_function(f->data, image, fn->name,
								 fn->is_inlined)
					    : push_fleet_rows_add_address(f, image, l);
	}
}

/*
 * Returns the frames of a location. Frames of locations lie one after the other, and end where
 * those of the next location begin.
 */
static size_t push_fleet_rows_frames_of(struct fleet_filling *f, uint32_t place, size_t *ret_n)
{
	const struct code_location *l = &f->code.locations.items[place];

	while (f->first_frames.n <= place)
		*ARRAY_ADD(&f->first_frames) = 0;
	if (!f->first_frames.items[place]) {
		f->first_frames.items[place] = f->frames.n + 1;
		push_fleet_rows_add_frames(f, l);
	}
	*ret_n = l->n_lines ? l->n_lines : 1;
	return f->first_frames.items[place] - 1;
}

static int64_t push_fleet_rows_add_stack(struct fleet_filling *f, const struct weighed_stack *s)
{
	int64_t stack = 0;

	for (size_t i = s->n_places; i-- > 0;) {
		size_t n, first = push_fleet_rows_frames_of(f, s->places[i], &n);

		for (size_t k = 0; k < n; k++)
			stack = fleet_add_stack(f->data, stack, f->frames.items[first + k]);
	}
	return stack;
}

static int64_t push_fleet_rows_add_source(struct fleet_filling *f, const struct label_values *v)
{
	text_clear(&f->service);
	text_clear(&f->container);
	if (v->cgroup) {
		cgroup_service(&f->service, v->cgroup);
		cgroup_container(&f->container, v->cgroup);
	}
	return fleet_add_source(
		f->data,
		&(struct fleet_source){
			.host = f->host,
			.service = f->rq->service ? f->rq->service : f->service.chars,
			.container = f->rq->container ? f->rq->container : f->container.chars,
			.comm = v->comm ? v->comm : "",
		});
}

static void push_fleet_rows_take_stack(void *arg, const struct weighed_stack *s)
{
	struct fleet_filling *f = arg;

	fleet_add(f->data, FLEET_SAMPLE,
		  (union fleet_cell[N_SAMPLE_COLUMNS]){
			  [SAMPLE_MINUTE].number = minute_of(f, s->labels->time),
			  [SAMPLE_SOURCE].number = push_fleet_rows_add_source(f, s->labels),
			  [SAMPLE_EVENT].number = f->event_ids[s->event],
			  [SAMPLE_STACK].number = push_fleet_rows_add_stack(f, s),
			  [SAMPLE_SAMPLES].number = (int64_t)s->weight.samples,
			  [SAMPLE_PERIOD].number = (int64_t)s->weight.period,
		  });
}

static void take_events(struct fleet_filling *f)
{
	size_t n;

	f->events = weighed_events(&f->profile, &n);
	f->event_ids = xcalloc(n + 1, sizeof(*f->event_ids));
	for (size_t i = 0; i < n; i++)
		f->event_ids[i] = fleet_add_event(f->data, f->events[i]->name,
						  attr_is_clock(&f->events[i]->attr));
}

static const char *find_host(const struct fleet_filling *f)
{
	const struct features *facts = session_features(f->profile.session);

	if (f->rq->host)
		return f->rq->host;
	return features_have(facts, FEATURE_HOSTNAME) && facts->hostname ? facts->hostname : "";
}

static int push_fleet_rows_collect(struct fleet_filling *f, struct notes *notes, struct diag *diag)
{
	struct profile *p = &f->profile;
	int r;

	f->minutes = find_minutes(f);
	f->host = find_host(f);
	p->rq.time_shift_ns = f->minutes.shift_ns;
	r = profile_collect(p, diag);
	if (r < 0)
		return r;
	profile_note(p, notes);
	if (!profile_has_samples(p))
		return diag_set(diag, -ENODATA, "'%s' has no samples", f->rq->path);
	code_table_init(&f->code, p->env.frames, false);
	take_events(f);
	weighed_for_each(p, LABELS, &f->code, push_fleet_rows_take_stack, f);
	fleet_make_batches(f->data, &(struct fleet_recording){ .host = f->host,
							       .base = f->minutes.base,
							       .origin = find_origin(f) });
	code_table_done(&f->code);
	return 0;
}

int fleet_rows_read(const struct fleet_rows_request *rq, struct notes *notes,
		    struct fleet_data **ret, struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *data = fleet_data_new();
	_cleanup_(freep) char *sort = export_labels_sort(LABELS);
	struct fleet_filling f = {
		.rq = rq, .data = data, .service = TEXT_EMPTY, .container = TEXT_EMPTY
	};
	const struct profile_request request = {
		.path = rq->path,
		.force = rq->force,
		.symbols = rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.progress = rq->progress,
		.plan = { .sort = sort },
		.with_stacks = true,
		.max_stack = PROFILE_MAX_STACK,
		.time_quantum_ns = MINUTE_NS,
	};
	int r = profile_open(&f.profile, &request, diag);

	if (r >= 0)
		r = push_fleet_rows_collect(&f, notes, diag);
	profile_done(&f.profile);
	free(f.events);
	free(f.event_ids);
	free(f.frames.items);
	free(f.first_frames.items);
	text_done(&f.service);
	text_done(&f.container);
	if (r >= 0)
		*ret = TAKE(data);
	return r;
}

#define ID_DIGITS    64
#define SHOWN_DIGITS 12

static bool push_cgroup_name_ends_with(const char *s, size_t n, const char *end)
{
	size_t k = strlen(end);

	return n > k && !memcmp(s + n - k, end, k);
}

/* Returns the id of a container in a part of a path; NULL: there is none. */
static const char *find_id(const char *s, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	/* The name is "docker-ID.scope", "cri-containerd-ID.scope" or "ID". */
	size_t end = push_cgroup_name_ends_with(s, n, ".scope") ? n - strlen(".scope") : n;
	size_t from = end > ID_DIGITS ? end - ID_DIGITS : 0;

	if (end < ID_DIGITS || (from && s[from - 1] != '-') || strspn(s + from, digits) < ID_DIGITS)
		return NULL;
	return s + from;
}

void cgroup_service(struct text *t, const char *path)
{
	const char *found = NULL;
	size_t length = 0;

	for (size_t n; *path; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		if (push_cgroup_name_ends_with(path, n, ".service")) {
			found = path;
			length = n - strlen(".service");
		}
	}
	if (found)
		text_add_bytes(t, found, length);
}

void cgroup_container(struct text *t, const char *path)
{
	const char *found = NULL;

	for (size_t n; *path; path += n + (path[n] == '/')) {
		const char *id;

		n = strcspn(path, "/");
		id = find_id(path, n);
		found = id ? id : found;
	}
	if (found)
		text_add_bytes(t, found, SHOWN_DIGITS);
}
