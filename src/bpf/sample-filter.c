/* SPDX-License-Identifier: MIT */
#include "bpf/sample-filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/explain.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "bpf/sample-filter-types.h"
#include "event/data-filter.h"
#include "kernel/bpf-object.h"
#include "kernel/perf-event.h"
#include "wire/abi.h"

/*
 * The capacity for the events of all users of the shared program. The oldest are dropped to make
 * space for more.
 */
#define SHARED_EVENTS  65536
#define SHARED_FILTERS 1024

#define BPFFS   "/sys/fs/bpf"
#define PROGRAM BPF_SAMPLE_FILTER_DIR "/program"
#define EVENTS  BPF_SAMPLE_FILTER_DIR "/events"
#define FILTERS BPF_SAMPLE_FILTER_DIR "/filters"

struct bpf_sample_filter {
	struct data_filter_items items;
	struct bpf_module *module; /* our own program; NULL: the shared one */
	const char *program;
	int program_fd, events_fd, filters_fd; /* for the shared program, or -1 */
	struct {
		uint64_t *items; /* ids in the shared maps; the first one has the filter */
		size_t n, room;
	} ids;
};

void bpf_sample_filter_free(struct bpf_sample_filter *f)
{
	if (!f)
		return;
	if (f->ids.n)
		bpf_map_remove(f->filters_fd, &f->ids.items[0]);
	for (size_t i = 0; i < f->ids.n; i++)
		bpf_map_remove(f->events_fd, &f->ids.items[i]);
	free(f->ids.items);
	closep(&f->program_fd);
	closep(&f->events_fd);
	closep(&f->filters_fd);
	bpf_module_free(f->module);
	free(f);
}

/* True for the terms that filter_context supports (sample-filter.bpf.c). */
static bool is_of_context(uint32_t term)
{
	return term == DATA_FILTER_IP || term == DATA_FILTER_TID || term == DATA_FILTER_PID ||
	       term == DATA_FILTER_CPU || term == DATA_FILTER_ADDR || term == DATA_FILTER_PERIOD ||
	       term == DATA_FILTER_UID || term == DATA_FILTER_GID;
}

static int bpf_sample_filter_load(const char *program, const struct data_filter_items *items,
				  struct bpf_module **ret, struct diag *diag)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = NULL;
	struct sample_filter_constants *c;
	int r = bpf_module_open(&bpf_image_sample_filter, &m, diag);

	if (r < 0)
		return r;
	c = bpf_module_constants(m, sizeof(*c));
	if (!c)
		return diag_set(diag, -EINVAL, "BPF: the filter has no constants");
	c->is_x86 = arch_host() == &arch_x86_64;
	c->is_shared = !items;
	if (items)
		c->filter = *items;
	r = bpf_module_want(m, program);
	if (r >= 0 && !items)
		r = bpf_module_size(m, "events", SHARED_EVENTS);
	if (r >= 0 && !items)
		r = bpf_module_size(m, "filters", SHARED_FILTERS);
	if (r >= 0)
		r = bpf_module_load(m, diag);
	if (r >= 0)
		*ret = TAKE(m);
	return r;
}

/* True if rights are missing. The verifier returns EACCES too. */
static bool is_of_rights(int error)
{
	return error == -EPERM || (error == -EACCES && !bpf_facts_gather().may_load);
}

/*
 * Falls back to the context on a kernel that passes no samples to programs; the context may be
 * enough.
 */
static int load_older(struct bpf_sample_filter *f, int error, struct diag *diag)
{
	for (uint32_t i = 0; i < f->items.n; i++) {
		uint32_t term = f->items.items[i].term;

		if (is_of_context(term))
			continue;
		diag_set(diag, error, "this kernel cannot filter samples by %s",
			 data_filter_term_name(term));
		diag_hint(diag, "That needs Linux 6.3 or newer; ip, period, addr, pid, tid, cpu, "
				"uid and gid work here.");
		return error;
	}
	f->program = "filter_context";
	return bpf_sample_filter_load(f->program, &f->items, &f->module, diag);
}

static int load_own(struct bpf_sample_filter *f, struct diag *diag)
{
	int r;

	f->program = "perf_sample_filter";
	r = bpf_sample_filter_load(f->program, &f->items, &f->module, diag);
	if (r < 0 && !is_of_rights(r) && bpf_is_built_in())
		r = load_older(f, r, diag);
	return r;
}

static int bpf_sample_filter_open_shared(struct bpf_sample_filter *f, struct diag *diag)
{
	struct bpf_map_facts facts = { 0 };

	f->program_fd = bpf_object_open(PROGRAM, true);
	f->events_fd = bpf_object_open(EVENTS, false);
	f->filters_fd = bpf_object_open(FILTERS, false);
	if (f->program_fd < 0 || f->events_fd < 0 || f->filters_fd < 0)
		return -ENOENT;
	if (bpf_map_facts(f->filters_fd, &facts) >= 0 &&
	    facts.value_size == sizeof(struct shared_filter))
		return 0;
	diag_set(diag, -EINVAL, "the filter in %s is of another version of perf",
		 BPF_SAMPLE_FILTER_DIR);
	diag_hint(diag, "Replace it: sudo perf record --setup-filter unpin; "
			"sudo perf record --setup-filter pin");
	return -EINVAL;
}

int bpf_sample_filter_new(const struct data_filter_items *items, struct bpf_sample_filter **ret,
			  struct diag *diag)
{
	_cleanup_(bpf_sample_filter_freep) struct bpf_sample_filter *f = xcalloc(1, sizeof(*f));
	int r, shared;

	f->items = *items;
	f->program_fd = f->events_fd = f->filters_fd = -1;
	r = load_own(f, diag);
	if (is_of_rights(r)) {
		shared = bpf_sample_filter_open_shared(f, diag);
		if (shared == -ENOENT)
			diag_hint(diag, "Or let ordinary users filter: sudo perf record "
					"--setup-filter pin");
		else
			r = shared;
	}
	if (r >= 0)
		*ret = TAKE(f);
	return r;
}

static int attach_shared(struct bpf_sample_filter *f, int fd, uint64_t id, const char *name,
			 struct diag *diag)
{
	struct shared_filter shared = { .filter = f->items };
	int r = f->ids.n ? 0 : bpf_map_put(f->filters_fd, &id, &shared);

	*ARRAY_ADD(&f->ids) = id;
	if (r >= 0)
		r = bpf_map_put(f->events_fd, &id, &f->ids.items[0]);
	if (r >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, f->program_fd) < 0)
		r = -errno;
	return r < 0 ? diag_set(diag, r, "%s: the filter of %s cannot be used: %s", name,
				BPF_SAMPLE_FILTER_DIR, strerror(-r))
		     : 0;
}

int bpf_sample_filter_attach(struct bpf_sample_filter *f, int fd, uint64_t id, const char *name,
			     struct diag *diag)
{
	return f->module ? bpf_module_attach_event(f->module, f->program, fd, name, diag)
			 : attach_shared(f, fd, id, name, diag);
}

uint64_t bpf_sample_filter_dropped(const struct bpf_sample_filter *f)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct shared_filter shared = { .dropped = 0 };
	uint64_t n = 0;

	if (f->module)
		return bpf_module_sum(f->module, "dropped", 1, &n, &ignored) < 0 ? 0 : n;
	return f->ids.n && bpf_map_get(f->filters_fd, &f->ids.items[0], &shared) >= 0
		       ? shared.dropped
		       : 0;
}

/* Pins @fd at @path for all users with the rights of @mode. */
static int pin_one(int fd, const char *path, mode_t mode, struct diag *diag)
{
	int r = fd < 0 ? fd : bpf_object_pin(fd, path);

	if (r >= 0 && chmod(path, mode) < 0)
		r = -errno;
	return r < 0 ? diag_set(diag, r, "cannot pin %s: %s", path, strerror(-r)) : 0;
}

static int explain_dir(int error, struct diag *diag)
{
	if (error == -EEXIST) {
		diag_set(diag, error, "the filter is pinned already, in %s", BPF_SAMPLE_FILTER_DIR);
		diag_hint(diag, "To replace it, first: perf record --setup-filter unpin");
		return error;
	}
	diag_set(diag, error, "cannot create %s: %s", BPF_SAMPLE_FILTER_DIR, strerror(-error));
	diag_hint(diag, error == -ENOENT || error == -EPERM
				? "Is the BPF file system mounted? sudo mount -t bpf bpf " BPFFS
				: "Run as root.");
	return error;
}

/*
 * Makes the directory. The BPF file system is often closed to ordinary users, who have to pass
 * through it. The sticky bit of our directory records that this was changed, so that unpinning can
 * undo it.
 */
static int make_dir(struct diag *diag)
{
	struct stat st;
	bool closed = stat(BPFFS, &st) == 0 && !(st.st_mode & S_IXOTH);

	if (mkdir(BPF_SAMPLE_FILTER_DIR, 0755) < 0)
		return explain_dir(-errno, diag);
	if (chmod(BPF_SAMPLE_FILTER_DIR, closed ? 01755 : 0755) < 0 ||
	    (closed && chmod(BPFFS, (st.st_mode & 07777) | S_IXOTH) < 0))
		return diag_set(diag, -errno, "cannot open %s to ordinary users: %s", BPFFS,
				strerror(errno));
	return 0;
}

int bpf_sample_filter_pin(struct diag *diag)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = NULL;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	int r = bpf_sample_filter_load("perf_sample_filter", NULL, &m, diag);

	if (r < 0 && !is_of_rights(r) && bpf_is_built_in())
		return diag_set(diag, r,
				"ordinary users can filter samples from Linux 6.3 on: "
				"this kernel does not hand samples to BPF programs");
	if (r >= 0)
		r = make_dir(diag);
	if (r < 0)
		return r;
	r = pin_one(bpf_module_program_fd(m, "perf_sample_filter"), PROGRAM, 0444, diag);
	if (r >= 0)
		r = pin_one(bpf_module_map_fd(m, "events"), EVENTS, 0666, diag);
	if (r >= 0)
		r = pin_one(bpf_module_map_fd(m, "filters"), FILTERS, 0666, diag);
	if (r < 0)
		bpf_sample_filter_unpin(&ignored);
	return r;
}

int bpf_sample_filter_unpin(struct diag *diag)
{
	static const char *const paths[] = { PROGRAM, EVENTS, FILTERS };
	struct stat st, root;

	if (stat(BPF_SAMPLE_FILTER_DIR, &st) < 0)
		return diag_set(diag, -errno, "no filter is pinned: %s: %s", BPF_SAMPLE_FILTER_DIR,
				strerror(errno));
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (unlink(paths[i]) < 0 && errno != ENOENT)
			return diag_set(diag, -errno, "cannot remove %s: %s", paths[i],
					strerror(errno));
	if (rmdir(BPF_SAMPLE_FILTER_DIR) < 0)
		return diag_set(diag, -errno, "cannot remove %s: %s", BPF_SAMPLE_FILTER_DIR,
				strerror(errno));
	if (st.st_mode & S_ISVTX && stat(BPFFS, &root) == 0)
		chmod(BPFFS, root.st_mode & 07777 & ~(mode_t)S_IXOTH);
	return 0;
}
