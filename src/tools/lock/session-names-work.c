/* SPDX-License-Identifier: MIT */
#include "tools/lock/session-names-work.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/lock/user-locks-model.h"
#include "wire/record.h"

void lock_session_names_done(struct lock_session_names *n)
{
	u64_map_done(&n->comms);
	intern_done(&n->texts);
}

void lock_session_names_take(struct lock_session_names *n, const struct delivered *d)
{
	struct record r;

	if (session_decode_record(n->session, d, &r) >= 0 && r.header.type == PERF_RECORD_COMM)
		u64_map_put(&n->comms, r.comm.tid, (void *)intern_text(&n->texts, r.comm.comm));
}

/*
 * Looks up kernel addresses first. Only one of the two address spaces contains a symbol at @addr.
 */
static bool lock_session_names_find_symbol(void *arg, uint32_t pid, uint64_t addr,
					   struct lock_symbol *ret)
{
	const struct lock_session_names *n = arg;
	struct location at;

	if (n->user && !(addr >> 63))
		return user_locks_symbol(n->user, pid, addr, ret);
	if (!machine_resolve(n->session, pid, ADDRESS_KERNEL, addr, 0, &at) &&
	    !machine_resolve(n->session, pid, ADDRESS_USER, addr, 0, &at))
		return false;
	if (!at.sym)
		return false;
	*ret = (struct lock_symbol){ .name = at.sym->name,
				     .offset = at.image_addr - at.sym->start };
	return true;
}

struct wanted {
	const char *name;
	uint64_t addr;
	bool found;
};

static void look_into(void *arg, struct image *im)
{
	struct wanted *w = arg;

	if (!w->found)
		w->found = image_kernel_address(im, w->name, &w->addr);
}

static bool lock_session_names_find_address(void *arg, const char *name, uint64_t *ret_addr)
{
	const struct lock_session_names *n = arg;
	struct wanted w = { .name = name };

	machine_images(n->session, look_into, &w);
	if (w.found)
		*ret_addr = w.addr;
	return w.found;
}

static const char *own_comm(struct lock_session_names *n, uint32_t tid)
{
	const char *comm = u64_map_find(&n->comms, tid);
	_cleanup_(freep) char *made_up = NULL;

	if (comm)
		return comm;
	if (!tid)
		return "swapper";
	made_up = xasprintf(":%" PRId32, (int32_t)tid);
	return intern_text(&n->texts, made_up);
}

static const char *lock_session_names_find_comm(void *arg, uint32_t tid)
{
	struct lock_session_names *n = arg;

	return n->own_names_only ? own_comm(n, tid) : machine_comm(n->session, tid, tid, 0);
}

static const char *lock_session_names_find_cgroup(void *arg, uint64_t id)
{
	const struct lock_session_names *n = arg;

	return machine_cgroup(n->session, id);
}

struct lock_names lock_session_names(struct lock_session_names *n)
{
	return (struct lock_names){ .symbol = lock_session_names_find_symbol,
				    .find = lock_session_names_find_address,
				    .comm = lock_session_names_find_comm,
				    .cgroup = lock_session_names_find_cgroup,
				    .arg = n };
}
