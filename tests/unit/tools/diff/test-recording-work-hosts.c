/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tools/diff/recording-work.h"
#include "session/session.h"

/* Rows by function and host: hosts 1 and 2 for the first event, host 2 alone for the second. */
struct parted {
	struct recording recording;
	struct session *session;
	struct key_env env;
	struct report_options options;
	uint64_t values[8][2];
	struct report_rows events[2];
	struct report_rows *rows[2];
	struct diff_hosts hosts;
};

static struct report_row row_of(struct parted *p, size_t n, uint64_t function, uint64_t host,
				uint64_t period)
{
	p->values[n][0] = function;
	p->values[n][1] = host;
	return (struct report_row){ .values = p->values[n],
				    .self = { .period = period, .samples = 1 } };
}

static void names(struct recording *r, uint64_t id, const char *host)
{
	add(r,
	    (struct record){ .header.type = PERF_RECORD_CGROUP,
			     .cgroup = { .id = id, .path = host } },
	    1);
}

static int set_up(void **state)
{
	static struct parted p;

	p = (struct parted){ .recording = recording_new() };
	names(&p.recording, 1, "web1");
	names(&p.recording, 2, "web2");
	p.session = opened(&p.recording, false);
	assert_int_equal(session_scan(p.session, &(struct diag){ 0 }), 0);
	p.env.session = p.session;
	p.options = (struct report_options){ .env = &p.env, .n_keys = 2 };
	for (size_t i = 0; i < 2; i++) {
		p.events[i] = (struct report_rows){ .options = &p.options };
		p.events[i].rows = xcalloc(8, sizeof(struct report_row));
		p.rows[i] = &p.events[i];
	}
	p.events[0].rows[0] = row_of(&p, 0, 10, 2, 100);
	p.events[0].rows[1] = row_of(&p, 1, 10, 1, 200);
	p.events[0].rows[2] = row_of(&p, 2, 11, 2, 300);
	p.events[0].rows[3] = row_of(&p, 3, 12, 0, 999); /* of nobody */
	p.events[0].rows[4] = row_of(&p, 4, 12, 2, 50);
	p.events[0].rows[4].is_hidden = true;
	p.events[0].n = 4;
	p.events[0].n_hidden = 1;
	p.events[1].rows[0] = row_of(&p, 5, 10, 2, 7);
	p.events[1].n = 1;
	diff_hosts_init(&p.hosts, p.rows, 2);
	*state = &p;
	return 0;
}

static int tear_down(void **state)
{
	struct parted *p = *state;

	diff_hosts_done(&p->hosts);
	session_free(p->session);
	recording_done(&p->recording);
	return 0;
}

static void each_host_has_its_rows(void **state)
{
	struct parted *p = *state;
	const struct report_rows *one = diff_hosts_rows(&p->hosts, 0, 0);
	const struct report_rows *two = diff_hosts_rows(&p->hosts, 0, 1);

	assert_int_equal(p->hosts.n, 2);
	assert_string_equal(p->hosts.names[0], "web1");
	assert_string_equal(p->hosts.names[1], "web2");
	assert_int_equal(one->options->n_keys, 1);
	assert_int_equal(one->n, 1);
	assert_int_equal(one->rows[0].self.period, 200);
	assert_int_equal(two->n, 2);
	assert_int_equal(two->rows[0].values[0], 10);
	assert_int_equal(two->rows[1].values[0], 11);
}

static void what_filters_leave_out_counts_in_the_whole(void **state)
{
	struct parted *p = *state;
	const struct report_rows *two = diff_hosts_rows(&p->hosts, 0, 1);

	assert_int_equal(two->all.period, 450);
	assert_int_equal(two->all.samples, 3);
	assert_int_equal(two->shown.period, 400);
}

static void a_host_may_lack_an_event(void **state)
{
	struct parted *p = *state;

	assert_int_equal(diff_hosts_rows(&p->hosts, 1, 0)->n, 0);
	assert_int_equal(diff_hosts_rows(&p->hosts, 1, 0)->all.samples, 0);
	assert_int_equal(diff_hosts_rows(&p->hosts, 1, 1)->n, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(each_host_has_its_rows),
		TEST(what_filters_leave_out_counts_in_the_whole),
		TEST(a_host_may_lack_an_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
