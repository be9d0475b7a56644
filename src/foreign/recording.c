/* SPDX-License-Identifier: MIT */
#include "foreign/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "foreign/stack-profile.h"
#include "store/content-id.h"
#include "symbol/given-names.h"
#include "wire/record.h"
#include "wire/sample.h"

/*
 * The number of addresses of a function; the one in the middle represents it, also as a return
 * address.
 */
#define FUNCTION_SIZE 16

/*
 * The addresses of named functions, above GIVEN_NAMES. Those of user space are mapped there from
 * the same offset of their file on, so their addresses are the same for all kinds of images.
 */
#define PAGE         UINT64_C(4096)
#define NAMES_FIRST  GIVEN_NAMES
#define NAMES_END    (UINT64_C(1) << 47)
#define KERNEL_FIRST UINT64_C(0xffffc00000000000)
#define KERNEL_END   (UINT64_C(0) - PAGE)

/* The range of addresses in files. */
#define CODE_FIRST UINT64_C(0x10000)
#define CODE_END   GIVEN_NAMES
#define SPAN_MAX   (UINT64_C(1) << 40) /* limit for one file */

/* Deeper stacks lose their outer frames, because they do not fit into a record. */
#define CHAIN_MAX 8000

/* The process that has all mappings; all others are its children. */
#define PARENT_PID 0x7fffffffu

#define FLUSH_BYTES (1u << 20)

/* The addresses of an image. */
struct foreign_recording_place {
	uint64_t functions;    /* the address of its first function; 0: it has none */
	uint64_t code, offset; /* the address of its code, from this file offset on */
	uint64_t end;          /* the end of that code; 0: no address is needed */
	uint32_t n_functions;
};

struct stack_recording {
	const struct stack_profile *profile;
	struct foreign_recording_place *places; /* place of each image */
	uint64_t *ips;                          /* address of each frame */
	uint32_t *tids;                         /* tid of each task */
	struct given_names *names;
	struct file_event *events;
	struct bytes out;
	struct writer *writer;
	uint64_t addresses[CHAIN_MAX + 8];
	int error;
};

static uint64_t recording_page_up(uint64_t n)
{
	return (n + PAGE - 1) & ~(PAGE - 1);
}

/* Determines which addresses of each image are needed. */
static void recording_measure(struct stack_recording *r)
{
	const struct stack_profile *p = r->profile;

	for (size_t i = 0; i < p->frames.n; i++) {
		const struct profile_frame *f = &p->frames.items[i];
		struct foreign_recording_place *at = &r->places[f->image];

		if (f->function) {
			at->n_functions++;
		} else if (f->offset < SPAN_MAX) {
			uint64_t begin = f->offset & ~(PAGE - 1);

			at->offset = at->end && at->offset < begin ? at->offset : begin;
			at->end = f->offset >= at->end ? f->offset + 1 : at->end;
		}
	}
}

/* Takes a range of @size bytes after *@next; 0: there is no space left. */
static uint64_t recording_take(uint64_t *next, uint64_t size, uint64_t end)
{
	uint64_t at = *next;

	if (!size || recording_page_up(size) > end - at)
		return 0;
	*next = at + recording_page_up(size);
	return at;
}

/* The free addresses. */
struct room {
	uint64_t code, names, kernel;
};

static void place_image(struct foreign_recording_place *at, bool is_kernel, struct room *room)
{
	uint64_t size = (uint64_t)at->n_functions * FUNCTION_SIZE;

	at->functions = is_kernel ? recording_take(&room->kernel, size, KERNEL_END)
				  : recording_take(&room->names, size, NAMES_END);
	/*
	 * Kernels are loaded at varying addresses, so an address without a name has no meaning
	 * here.
	 */
	if (!is_kernel && at->end)
		at->code = recording_take(&room->code, at->end - at->offset, CODE_END);
}

static bool recording_is_text(const struct profile_image *im)
{
	return im->is_kernel && !strncmp(im->name, "[kernel", 7);
}

/* Places the images. The kernel's text lies below its modules. */
static void place_images(struct stack_recording *r)
{
	const struct stack_profile *p = r->profile;
	struct room room = { CODE_FIRST, NAMES_FIRST, KERNEL_FIRST };

	recording_measure(r);
	for (int text = 1; text >= 0; text--)
		for (size_t i = 0; i < p->images.n; i++)
			if (recording_is_text(&p->images.items[i]) == !!text)
				place_image(&r->places[i], p->images.items[i].is_kernel, &room);
}

static uint64_t function_ip(struct stack_recording *r, const struct profile_frame *f,
			    uint32_t number)
{
	const struct profile_image *im = &r->profile->images.items[f->image];
	uint64_t start = r->places[f->image].functions + (uint64_t)number * FUNCTION_SIZE;

	given_image_add(given_names_image(r->names, im->name, &im->build_id), start,
			start + FUNCTION_SIZE, f->function, f->is_inlined);
	return start + FUNCTION_SIZE / 2;
}

/* Returns the ip of an address without a name. If it lies in no image, nothing is mapped there. */
static uint64_t address_ip(const struct stack_recording *r, const struct profile_frame *f)
{
	const struct foreign_recording_place *at = &r->places[f->image];

	if (r->profile->images.items[f->image].is_kernel)
		return f->offset | UINT64_C(1) << 63;
	if (at->code && f->offset >= at->offset && f->offset < at->end)
		return at->code + (f->offset - at->offset);
	return f->offset & (CODE_FIRST - 1);
}

static void place_frames(struct stack_recording *r)
{
	const struct stack_profile *p = r->profile;
	_cleanup_(freep) uint32_t *n = xcalloc(p->images.n + 1, sizeof(*n));

	for (size_t i = 0; i < p->frames.n; i++) {
		const struct profile_frame *f = &p->frames.items[i];

		r->ips[i] = f->function ? function_ip(r, f, n[f->image]++) : address_ip(r, f);
	}
}

static void recording_flush(struct stack_recording *r)
{
	int error = r->error < 0 ? 0 : writer_write(r->writer, 0, r->out.data, r->out.n);

	if (error < 0)
		r->error = error;
	r->out.n = 0;
}

/* Adds a record. Everything that is not a sample comes before the first sample. */
static void recording_put(struct stack_recording *r, struct record record)
{
	int error = record_encode(&record, &r->events[0].attr, &r->out);

	if (error < 0)
		r->error = error;
	if (r->out.n >= FLUSH_BYTES)
		recording_flush(r);
}

static void recording_put_map(struct stack_recording *r, const struct profile_image *im,
			      uint64_t at, uint64_t size, uint64_t offset)
{
	struct record map = {
		.header = { .type = PERF_RECORD_MMAP2,
			    .misc = im->is_kernel ? PERF_RECORD_MISC_KERNEL
						  : PERF_RECORD_MISC_USER },
		.mmap = { .pid = im->is_kernel ? UINT32_MAX : PARENT_PID,
			  .tid = im->is_kernel ? 0 : PARENT_PID,
			  .addr = at,
			  .len = recording_page_up(size),
			  .pgoff = offset,
			  .filename = im->name,
			  .build_id = im->build_id,
			  .prot = 5,
			  .flags = 2 },
	};

	if (im->build_id.size)
		map.header.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	recording_put(r, map);
}

static void put_maps(struct stack_recording *r)
{
	const struct stack_profile *p = r->profile;

	for (size_t i = 0; i < p->images.n; i++) {
		const struct profile_image *im = &p->images.items[i];
		const struct foreign_recording_place *at = &r->places[i];

		if (at->functions)
			recording_put_map(r, im, at->functions,
					  (uint64_t)at->n_functions * FUNCTION_SIZE, at->functions);
		if (at->code)
			recording_put_map(r, im, at->code, at->end - at->offset, at->offset);
	}
}

static void put_fork(struct stack_recording *r, uint32_t pid, uint32_t tid, uint32_t ppid)
{
	recording_put(r, (struct record){
				 .header = { .type = PERF_RECORD_FORK },
				 .task = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ppid } });
}

static int recording_compare_tasks(const void *x, const void *y)
{
	const struct profile_task *a = *(const struct profile_task *const *)x;
	const struct profile_task *b = *(const struct profile_task *const *)y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if ((a->tid == a->pid) != (b->tid == b->pid))
		return a->tid == a->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Returns the tasks, with processes before their threads. The caller frees the list. */
static const struct profile_task **sorted_tasks(const struct stack_profile *p)
{
	const struct profile_task **tasks = xcalloc(p->tasks.n + 1, sizeof(*tasks));

	for (size_t i = 0; i < p->tasks.n; i++)
		tasks[i] = &p->tasks.items[i];
	qsort(tasks, p->tasks.n, sizeof(*tasks), recording_compare_tasks);
	return tasks;
}

/*
 * Numbers the tasks. A thread that changed its name becomes several: weights have no order in time
 * in which the names could follow each other.
 */
static void number_tasks(struct stack_recording *r, const struct profile_task *const *tasks)
{
	const struct profile_task *first = r->profile->tasks.items;
	uint32_t next = PARENT_PID - 1;

	for (size_t i = 0; i < r->profile->tasks.n; i++) {
		bool is_again = i && tasks[i - 1]->pid == tasks[i]->pid &&
				tasks[i - 1]->tid == tasks[i]->tid;

		r->tids[tasks[i] - first] = is_again ? next-- : tasks[i]->tid;
	}
}

/* Adds the tasks. Threads have the names of their processes unless they have their own. */
static void put_tasks(struct stack_recording *r)
{
	const struct stack_profile *p = r->profile;
	_cleanup_(freep) const struct profile_task **tasks = sorted_tasks(p);

	number_tasks(r, tasks);
	for (size_t i = 0; i < p->tasks.n; i++) {
		const struct profile_task *t = tasks[i];
		uint32_t tid = r->tids[t - p->tasks.items];

		if (!i || tasks[i - 1]->pid != t->pid)
			put_fork(r, t->pid, t->pid, PARENT_PID);
		if (tid != t->pid)
			put_fork(r, t->pid, tid, t->pid);
		recording_put(r, (struct record){
					 .header = { .type = PERF_RECORD_COMM },
					 .comm = { .pid = t->pid, .tid = tid, .comm = t->comm } });
	}
}

static void put_groups(struct stack_recording *r)
{
	const struct stack_profile *p = r->profile;

	for (size_t i = 0; i < p->groups.n; i++)
		recording_put(r, (struct record){
					 .header = { .type = PERF_RECORD_CGROUP },
					 .cgroup = { .id = i + 1, .path = p->groups.items[i] } });
}

static bool is_kernel_frame(const struct stack_recording *r, uint32_t frame)
{
	const struct stack_profile *p = r->profile;

	return p->images.items[p->frames.items[frame].image].is_kernel;
}

/* Collects the addresses of a stack, with a marker at each change between user space and kernel. */
static size_t recording_chain_of(struct stack_recording *r, uint32_t stack)
{
	const struct stack_profile *p = r->profile;
	size_t n = 0;
	int mode = -1;

	for (; stack != STACK_PROFILE_ROOT && n < CHAIN_MAX;
	     stack = p->stacks.items[stack].parent) {
		uint32_t frame = p->stacks.items[stack].frame;

		if (mode != is_kernel_frame(r, frame)) {
			mode = is_kernel_frame(r, frame);
			r->addresses[n++] = mode ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
		}
		r->addresses[n++] = r->ips[frame];
	}
	return n;
}

static void recording_put_sample(struct stack_recording *r, const struct profile_weight *w)
{
	const struct stack_profile *p = r->profile;
	const struct profile_task *t = &p->tasks.items[w->task];
	size_t n = recording_chain_of(r, w->stack);
	bool in_kernel = n && r->addresses[0] == PERF_CONTEXT_KERNEL;
	const struct sample s = {
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.id = w->event + 1,
		.ip = n ? r->addresses[1] : 0,
		.pid = t->pid,
		.tid = r->tids[w->task],
		.time = w->time,
		.stream_id = w->samples,
		.cpu = w->cpu,
		.cgroup = t->group,
		.period = w->period,
		.chain = { .bytes = (const uint8_t *)r->addresses, .n = n },
	};
	int error = sample_encode(&s, &r->events[w->event].attr, &r->out);

	if (error < 0)
		r->error = error;
	if (r->out.n >= FLUSH_BYTES)
		recording_flush(r);
}

/* Returns the number of an event, which is the same in several recordings with the same event. */
static uint64_t number_of_event(const char *name)
{
	struct content_hash h;

	content_hash_begin(&h);
	content_hash_text(&h, name);
	return (uint64_t)content_hash_id(&h);
}

static struct attr recording_attr_of(const struct stack_profile *p, const struct profile_event *e)
{
	return (struct attr){
		.type = e->is_time ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW,
		.config = e->is_time ? PERF_COUNT_SW_CPU_CLOCK : number_of_event(e->name),
		.size = sizeof(struct attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			       (p->has_times ? PERF_SAMPLE_TIME : 0) |
			       (p->has_cpus ? PERF_SAMPLE_CPU : 0) |
			       (p->groups.n ? PERF_SAMPLE_CGROUP : 0),
		.cgroup = p->groups.n != 0,
		.sample_id_all = 1,
		/* Without this, a short build-id would be taken for an inode. */
		.build_id = 1,
	};
}

static void describe_events(struct stack_recording *r, struct features *f)
{
	const struct stack_profile *p = r->profile;

	for (size_t i = 0; i < p->events.n; i++) {
		struct file_event *e = &r->events[i];
		struct event_desc *d = ARRAY_ADD(&f->event_descs);

		e->attr = recording_attr_of(p, &p->events.items[i]);
		e->ids = xcalloc(1, sizeof(*e->ids));
		e->ids[0] = i + 1;
		e->n_ids = 1;
		d->attr = e->attr;
		d->name = xstrdup(p->events.items[i].name);
		d->ids = xcalloc(1, sizeof(*d->ids));
		d->ids[0] = i + 1;
		d->n_ids = 1;
	}
	features_mark(f, FEATURE_EVENT_DESC);
}

static int recording_write_all(struct stack_recording *r, int fd, struct features *f,
			       struct diag *diag)
{
	static const struct writer_options plain = { .form = WRITER_FILE };
	int error = writer_open(NULL, fd, &plain, &r->writer, diag);

	describe_events(r, f);
	if (error >= 0)
		error = writer_begin(r->writer, r->events, r->profile->events.n, f, diag);
	if (error < 0)
		return error;
	put_maps(r);
	put_tasks(r);
	put_groups(r);
	for (size_t i = 0; i < r->profile->weights.n; i++)
		recording_put_sample(r, &r->profile->weights.items[i]);
	recording_flush(r);
	if (r->error < 0)
		return diag_set(diag, r->error, "the stacks cannot be kept in memory: %s",
				strerror(-r->error));
	return writer_finish(r->writer, f, diag);
}

static void stack_recording_free(struct stack_recording *r)
{
	for (size_t i = 0; r->events && i < r->profile->events.n; i++)
		free(r->events[i].ids);
	free(r->events);
	free(r->places);
	free(r->ips);
	free(r->tids);
	given_names_free(r->names);
	bytes_done(&r->out);
	writer_free(r->writer);
	free(r);
}

DEFINE_FREEP(stack_recording)

int stack_profile_record(const struct stack_profile *p, int *ret_fd, struct given_names **ret_names,
			 struct diag *diag)
{
	_cleanup_(closep) int fd = memfd_create("stacks", MFD_CLOEXEC);
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(stack_recording_freep) struct stack_recording *r = xcalloc(1, sizeof(*r));
	int error;

	if (fd < 0)
		return diag_set(diag, -errno, "there is no room for the stacks in memory: %s",
				strerror(errno));
	r->profile = p;
	r->places = xcalloc(p->images.n + 1, sizeof(*r->places));
	r->ips = xcalloc(p->frames.n + 1, sizeof(*r->ips));
	r->tids = xcalloc(p->tasks.n + 1, sizeof(*r->tids));
	r->events = xcalloc(p->events.n + 1, sizeof(*r->events));
	r->names = given_names_new();
	place_images(r);
	place_frames(r);
	error = recording_write_all(r, fd, &f, diag);
	if (error < 0)
		return error;
	*ret_fd = fd;
	fd = -1;
	*ret_names = TAKE(r->names);
	return 0;
}
