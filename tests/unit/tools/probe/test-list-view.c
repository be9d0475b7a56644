/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "probe/probe-def.h"
#include "probe/trace-probe.h"
#include "tools/probe/list-view.h"
#include "tools/probe/place-work.h"

static struct trace_probe parse(const char *line)
{
	struct trace_probe p = { 0 };

	assert_int_equal(trace_probe_parse(line, strstr(line, " /") != NULL, &p), 0);
	return p;
}

static char *added(const char *definition, const char *line)
{
	_cleanup_(trace_probe_done) struct trace_probe p = parse(line);
	_cleanup_(diag_done) struct diag d = { 0 };
	struct probe_def def = { 0 };
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	assert_int_equal(probe_def_parse(definition, &def, &d), 0);
	probe_list_print_added(&def, &p, out);
	fclose(out);
	probe_def_done(&def);
	return text;
}

static char *listed(const char *line, struct probe_place w)
{
	_cleanup_(trace_probe_done) struct trace_probe p = parse(line);
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	probe_list_print(&p, &w, out);
	fclose(out);
	return text;
}

#define ASSERT_ADDED(definition, line, want)                                                       \
	do {                                                                                       \
		_cleanup_(freep) char *got = added(definition, line);                              \
		assert_string_equal(got, want);                                                    \
	} while (0)
#define ASSERT_LISTED(line, want, ...)                                                             \
	do {                                                                                       \
		_cleanup_(freep) char *got = listed(line, (struct probe_place){ __VA_ARGS__ });    \
		assert_string_equal(got, want);                                                    \
	} while (0)

static void what_was_added_is_shown_as_it_was_written(void **state)
{
	(void)state;
	ASSERT_ADDED("tcp_sendmsg:81 seglen", "p:probe/tcp_sendmsg tcp_sendmsg+8 seglen=%x0:u64",
		     "  probe:tcp_sendmsg    (on tcp_sendmsg:81 with seglen)\n");
	ASSERT_ADDED("tcp_sendmsg+0x299", "p:probe/tcp_sendmsg_1 tcp_sendmsg+665",
		     "  probe:tcp_sendmsg_1  (on tcp_sendmsg+665)\n");
	ASSERT_ADDED("drm_av_sync_delay", "p:probe/drm_av_sync_delay drm:drm_av_sync_delay+0",
		     "  probe:drm_av_sync_delay (on drm_av_sync_delay in drm)\n");
	ASSERT_ADDED("f tsk->flags %x0", "p:probe/f f+0 flags=+44(%x0):u32 arg2=%x0",
		     "  probe:f              (on f with flags=tsk->flags %x0)\n");
	ASSERT_ADDED("malloc%return $retval", "r:probe_libc/malloc__return /lib/libc.so.6:0x10",
		     "  probe_libc:malloc__return (on malloc%return in /lib/libc.so.6 with "
		     "$retval)\n");
}

static void a_marker_is_shown_by_its_name(void **state)
{
	(void)state;
	ASSERT_ADDED("%sdt_app:tick", "p:sdt_app/tick /bin/x:0x40 arg1=%x0:s32",
		     "  sdt_app:tick         (on %tick in /bin/x)\n");
	ASSERT_ADDED("%sdt_app:*", "p:sdt_app/tick /bin/x:0x40",
		     "  sdt_app:tick         (on %* in /bin/x)\n");
	ASSERT_ADDED("%tick", "p:sdt_app/tick /bin/x:0x40",
		     "  sdt_app:tick         (on %tick in /bin/x)\n");
}

static void probes_are_listed_with_their_source(void **state)
{
	(void)state;
	ASSERT_LISTED("p:probe/tcp_sendmsg tcp_sendmsg+0",
		      "  probe:tcp_sendmsg    (on tcp_sendmsg@net/ipv4/tcp.c)\n",
		      .function = "tcp_sendmsg", .file = "net/ipv4/tcp.c");
	ASSERT_LISTED("p:probe/tcp_sendmsg tcp_sendmsg+0 size=%x2:u64",
		      "  probe:tcp_sendmsg    (on tcp_sendmsg:81@net/ipv4/tcp.c with size)\n",
		      .function = "tcp_sendmsg", .file = "net/ipv4/tcp.c", .has_line = true,
		      .line = 81, .offset = 400);
	ASSERT_LISTED("p:probe/f _text+4660", "  probe:f              (on f+8)\n", .function = "f",
		      .offset = 8);
	ASSERT_LISTED("r:probe_t/f__return /bin/t:0x10",
		      "  probe_t:f__return    (on f%return@t.c in /bin/t)\n", .function = "f",
		      .file = "t.c");
	ASSERT_LISTED("p:probe_t/abs_8c /bin/t:0x8c",
		      "  probe_t:abs_8c       (on 0x8c in /bin/t)\n", .offset = 0x8c);
}

static void long_paths_are_shown_by_their_end(void **state)
{
	(void)state;
	ASSERT_LISTED("p:probe/f f+0",
		      "  probe:f              (on f@/tmp/k/pp/a/bbbbbbbbbbbbb/cc.c)\n",
		      .function = "f", .file = "/tmp/k/pp/a/bbbbbbbbbbbbb/cc.c");
	ASSERT_LISTED("p:probe/f f+0", "  probe:f              (on f@k/pp/a/bbbbbbbbbbbbbb/cc.c)\n",
		      .function = "f", .file = "/tmp/k/pp/a/bbbbbbbbbbbbbb/cc.c");
	ASSERT_LISTED("p:probe/f f+0",
		      "  probe:f              (on f@averylongfilenamethatgoesbeyondthelimit.c)\n",
		      .function = "f", .file = "/tmp/averylongfilenamethatgoesbeyondthelimit.c");
	ASSERT_LISTED("p:probe/f f+0",
		      "  probe:f              (on f@averylongfilenamethatgoesbeyondthelimit.c)\n",
		      .function = "f", .file = "averylongfilenamethatgoesbeyondthelimit.c");
}

static void a_register_without_a_name_is_shown(void **state)
{
	(void)state;
	ASSERT_LISTED("p:probe/f f+0 arg1=%x0 b=%x1 arg3=+0(%x0):u32 arg4=$retval",
		      "  probe:f              (on f with %x0 b arg3 arg4)\n", .function = "f");
	/* A name that only looks generated, and the arguments of a marker. */
	ASSERT_LISTED("p:probe/f f+0 arg2=%x0", "  probe:f              (on f with arg2)\n",
		      .function = "f");
	ASSERT_LISTED("p:sdt_app/f /bin/t:0x1 arg1=%x0:s32",
		      "  sdt_app:f            (on f in /bin/t with arg1)\n", .function = "f");
}

static void a_name_cannot_act_on_the_terminal(void **state)
{
	_cleanup_(freep) char *got = NULL;

	(void)state;
	got = listed("p:probe_t/f /bin/\x1b[31mt:0x10", (struct probe_place){ 0 });
	assert_null(strchr(got, '\x1b'));
}

static void the_boot_configuration_has_a_line_for_each_event(void **state)
{
	_cleanup_(trace_probes_done) struct trace_probes l = { 0 };
	_cleanup_(freep) char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	*trace_probes_add(&l) = parse("p:probe/a f+8 x=%x0:u64");
	*trace_probes_add(&l) = parse("p:probe/a g+0 x=%x1:u64");
	*trace_probes_add(&l) = parse("r:probe/b h+0 $retval");
	probe_list_print_bootconfig(&l, out);
	fclose(out);
	assert_string_equal(text,
			    "ftrace.event.kprobes.a.probe = 'f+8 x=%x0:u64', 'g+0 x=%x1:u64'\n"
			    "ftrace.event.kprobes.b.probe = 'h+0 $retval'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_shown_as_it_was_written),
		cmocka_unit_test(a_marker_is_shown_by_its_name),
		cmocka_unit_test(probes_are_listed_with_their_source),
		cmocka_unit_test(long_paths_are_shown_by_their_end),
		cmocka_unit_test(a_register_without_a_name_is_shown),
		cmocka_unit_test(a_name_cannot_act_on_the_terminal),
		cmocka_unit_test(the_boot_configuration_has_a_line_for_each_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
