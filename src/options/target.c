/* SPDX-License-Identifier: MIT */
#include "options/target.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "options/value.h"

/*
 * Sets a `struct user_choice`. A number need not be in the password file, because in most
 * containers it is not.
 */
static int user_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct user_choice *u = field;
	struct passwd *entry;
	uint64_t uid;

	if (negated) {
		*u = (struct user_choice){ 0 };
		return 0;
	}
	if (number_parse(value, &uid) >= 0 && uid < (uid_t)-1) {
		*u = (struct user_choice){ true, (uid_t)uid };
		return 0;
	}
	entry = *value ? getpwnam(value) : NULL;
	if (!entry) {
		value_refuse(diag, o, value, 0, strlen(value), "there is no user '%s'", value);
		diag_hint(diag, "Give a name from `getent passwd`, or the number of a user.");
		return -EINVAL;
	}
	*u = (struct user_choice){ true, entry->pw_uid };
	return 0;
}

/* Sets the list, and keeps the text from which it was parsed. */
static int cpus_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct target *t = (struct target *)((char *)field - offsetof(struct target, cpus));

	t->cpus_text = negated ? NULL : value;
	return cpu_list_set(field, o, value, negated, diag);
}

const struct option target_options[] = {
	OPT_HEADING("Whom to measure:"),
	OPT_FLAG('a', "all-cpus", struct target, all_cpus,
		 "the whole system: every process on every CPU"),
	OPT_CALL('C', "cpu", struct target, cpus, "cpu", "every process, on these CPUs only: 0,2-3",
		 .set = cpus_set),
	OPT_CALL('p', "pid", struct target, pids, "pid",
		 "running processes with all their threads: 12,34", .set = id_list_set),
	OPT_CALL('t', "tid", struct target, tids, "tid", "running threads: 12,34",
		 .set = id_list_set),
	OPT_CALL('u', "uid", struct target, user, "user",
		 "all processes of a user, by name or number", .set = user_set),
	OPT_END
};
