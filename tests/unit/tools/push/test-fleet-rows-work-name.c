/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "tools/push/fleet-rows-work.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void check(const char *path, const char *service, const char *container)
{
	struct text s = TEXT_EMPTY, c = TEXT_EMPTY;

	cgroup_service(&s, path);
	cgroup_container(&c, path);
	assert_string_equal(s.chars, service);
	assert_string_equal(c.chars, container);
	text_done(&s);
	text_done(&c);
}

static void services_and_containers_have_names(void **state)
{
	(void)state;
	check("/system.slice/web.service", "web", "");
	check("/user.slice/user@0.service/app.slice/db.service/x", "db", "");
	check("/system.slice/docker-" ID ".scope", "", "0123456789ab");
	check("/docker/" ID, "", "0123456789ab");
	check("/system.slice/containerd.service/kubepods-pod1:cri-containerd-" ID, "containerd",
	      "0123456789ab");
}

static void other_paths_tell_nothing(void **state)
{
	(void)state;
	check("", "", "");
	check("/", "", "");
	check("//.service/", "", "");
	check("/x" ID, "", "");
	check("/docker-" ID "0.scope", "", "");
	check("/0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(services_and_containers_have_names),
		cmocka_unit_test(other_paths_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
