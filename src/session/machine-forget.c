/* SPDX-License-Identifier: MIT */
#include "session/machine-forget.h"

#include "base/memory.h"
#include "session/jit-maps.h"
#include "session/machine.h"
#include "session/sideband.h"
#include "session/space.h"
#include "symbol/jit-code.h"

/*
 * This number of records, of a few hundred bytes each, is applied before old state is dropped. If
 * as many maps are left as were applied, copying costs no more for each record than applying it
 * did.
 */
#define FORGET_AFTER 8192

struct machine_forgetting {
	struct machine *to;
	struct u64_map maps; /* copies by their originals */
	size_t left;         /* number of maps that were laid */
};

static const struct map *copy_map(void *arg, const struct map *m)
{
	struct machine_forgetting *f = arg;
	struct map *copy = u64_map_find(&f->maps, (uintptr_t)m);

	f->left++;
	if (copy)
		return copy;
	copy = arena_alloc(&f->to->arena, sizeof(*copy));
	*copy = *m;
	copy->name = intern_text(&f->to->names, m->name);
	images_note(&f->to->images, copy->image);
	u64_map_put(&f->maps, (uintptr_t)m, copy);
	return copy;
}

static const struct jit_maps *copy_jit(void *arg, const struct jit_maps *j)
{
	struct machine_forgetting *f = arg;
	const struct jit_code *code = jit_maps_code(j);
	struct jit_maps *copy = u64_map_find(&f->to->jit_maps, (uintptr_t)code);
	const struct jit_load *loads;
	size_t n;

	if (copy)
		return copy;
	loads = jit_code_loads(code, &n);
	for (size_t i = 0; i < n; i++)
		images_note(&f->to->images, loads[i].image);
	f->left += n;
	copy = (struct jit_maps *)jit_maps_new(&f->to->arena, code,
					       intern_text(&f->to->names, jit_maps_name(j)));
	u64_map_put(&f->to->jit_maps, (uintptr_t)code, copy);
	return copy;
}

static struct space_copying copying_into(struct machine_forgetting *f, struct arena *a,
					 struct moment from)
{
	return (struct space_copying){
		.arena = a, .from = from, .map = copy_map, .jit = copy_jit, .arg = f
	};
}

static void copy_kernel(struct machine_forgetting *f, struct kernel_space *to,
			const struct kernel_space *from, struct moment at)
{
	struct space_copying c = copying_into(f, &f->to->arena, at);

	kernel_space_copy(to, from, &c);
	u64_map_done(&c.done);
}

struct guest_copy {
	struct machine_forgetting *forgetting;
	struct moment at;
};

static void copy_guest(void *arg, uint64_t pid, void *guest)
{
	const struct guest_copy *g = arg;
	struct machine *to = g->forgetting->to;
	struct kernel_space *k = arena_alloc(&to->arena, sizeof(*k));

	copy_kernel(g->forgetting, k, guest, g->at);
	u64_map_put(&to->guests, pid, k);
}

static void copy_cgroup(void *arg, uint64_t id, void *path)
{
	struct machine *to = arg;

	u64_map_put(&to->cgroups, id, (void *)intern_text(&to->names, path));
}

static void copy_tasks(struct machine_forgetting *f, const struct machine *from, struct moment at)
{
	struct machine *to = f->to;
	struct space_copying c = copying_into(f, &to->tasks.arena, at);

	lineage_copy_living(&to->lineage, &from->lineage, at);
	tasks_copy(&to->tasks, &from->tasks, &to->lineage, at, &to->names, &c);
	u64_map_done(&c.done);
}

bool machine_forget_due(const struct machine *m)
{
	return m->turn - m->forgot_at >= FORGET_AFTER + 2 * m->n_left;
}

void machine_forget_before(struct machine *m, uint64_t time)
{
	struct moment at = moment_after(time);
	struct machine left = {
		.images = m->images,
		.turn = m->turn + 1,
		.own_mount_ns = m->own_mount_ns,
		.is_monotonic = m->is_monotonic,
		.nameless_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	struct machine_forgetting f = { .to = &left };

	copy_kernel(&f, &left.host, &m->host, at);
	u64_map_for_each(&m->guests, copy_guest, &(struct guest_copy){ &f, at });
	copy_tasks(&f, m, at);
	u64_map_for_each(&m->cgroups, copy_cgroup, &left);
	deferred_chains_copy_since(&left.deferred, &m->deferred, time);
	u64_map_done(&f.maps);

	m->images = (struct images){ 0 };
	machine_done(m);
	*m = left;
	m->forgot_at = m->turn;
	m->n_left = f.left + m->lineage.tasks.n;
}
