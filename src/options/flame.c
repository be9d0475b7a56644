/* SPDX-License-Identifier: MIT */
#include "options/flame.h"

#include <errno.h>

#include "base/diag.h"
#include "options/time.h"
#include "options/value.h"

static int roots_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct flame_choice *c = field;
	size_t offset, length;

	if (negated || flame_roots_parse(value, &c->roots, &offset, &length) >= 0) {
		c->has_roots = !negated;
		return 0;
	}
	value_refuse(diag, o, value, offset, length, "'%.*s' is nothing that stacks can stand on",
		     (int)length, value + offset);
	diag_hint(diag, "It is one or several of comm, thread, process, cpu, cgroup; or none.");
	return -EINVAL;
}

const struct option flame_options[] = {
	OPT_STRING('e', "event", struct flame_choice, event, "name",
		   "stacks of this event (default: the first that has samples)"),
	OPT_STRING(0, "weight", struct flame_choice, weight, "samples|period|field",
		   "what a stack weighs; a field is one of the tracepoint: bytes_req"),
	{ .kind = OPTION_CALL,
	  .name = "root",
	  .arg = "comm|thread|process|cpu|cgroup|none",
	  .help = "what stacks stand on (default: comm); several with commas",
	  .set = roots_set },
	OPT_FLAG(0, "off-cpu", struct flame_choice, off_cpu,
		 "where threads wait, by time: from record --off-cpu, or sched:sched_switch, with "
		 "who wakes them from sched:sched_waking"),
	OPT_FLAG(0, "wall", struct flame_choice, wall,
		 "all of each thread's time, running and waiting: from record --off-cpu, or "
		 "cpu-clock and sched:sched_switch"),
	OPT_CALL(0, "min-wait", struct flame_choice, min_wait_ns, "time",
		 "only waits that last as long: 10us, 5ms, 1s", .set = duration_set),
	OPT_CALL(0, "max-wait", struct flame_choice, max_wait_ns, "time",
		 "only waits that last no longer", .set = duration_set),
	OPT_END
};
