/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/internal.h"
#include "session/live.h"
#include "session/machine.h"

/* Returns a session that is fed with the records of @rec. */
static struct session *fed(const struct recording *rec, struct file_event events[2],
			   uint64_t ids[2])
{
	for (size_t i = 0; i < 2; i++) {
		ids[i] = i + 1;
		events[i] = (struct file_event){ .attr = rec->attr, .ids = &ids[i], .n_ids = 1 };
	}
	return session_live_new(&(struct session_live_options){ .events = events, .n_events = 2 });
}

static bool lies_at(const struct session *s, uint32_t pid, uint64_t addr, uint64_t time,
		    const char *name)
{
	struct location at;

	return machine_locate(s, pid, ADDRESS_USER, addr, time, &at) && !strcmp(at.map->name, name);
}

static void records_are_placed_by_their_ids(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);
	struct delivered d;

	(void)state;
	sampled(&rec, 2, 7, 40);
	assert_true(session_live_place(s, rec.records.data, rec.records.n, &d));
	assert_int_equal(d.raw.header.type, PERF_RECORD_SAMPLE);
	assert_int_equal(d.event->index, 1);
	assert_int_equal(d.time, 40);
}

static void half_a_record_is_none(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);
	struct delivered d;

	(void)state;
	sampled(&rec, 1, 7, 40);
	assert_false(session_live_place(s, rec.records.data, rec.records.n - 8, &d));
	assert_false(session_live_place(s, rec.records.data, 4, &d));
	assert_false(session_live_place(s, rec.records.data, 0, &d));
}

static void what_was_there_before_holds_at_once(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);

	(void)state;
	mmaps(&rec, 7, 0x1000, 0x1000, "/bin/a", 0);
	session_live_pass(s, rec.records.data, rec.records.n);
	assert_true(lies_at(s, 7, 0x1800, 5, "/bin/a"));
}

static void a_pass_is_complete_after_the_next(void **state)
{
	_cleanup_(recording_done) struct recording first = recording_new();
	_cleanup_(recording_done) struct recording second = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&first, events, ids);

	(void)state;
	/* The ring with the map was emptied before the other got the sample. */
	sampled(&first, 1, 7, 50);
	mmaps(&second, 7, 0x1000, 0x1000, "/bin/a", 40);
	session_live_pass(s, first.records.data, first.records.n);
	assert_false(lies_at(s, 7, 0x1800, 50, "/bin/a"));
	session_live_pass(s, second.records.data, second.records.n);
	assert_true(lies_at(s, 7, 0x1800, 50, "/bin/a"));
}

static void rings_are_put_in_the_order_of_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);

	(void)state;
	/* The child maps something of its own on one CPU, and was forked on another. */
	mmaps(&rec, 8, 0x1000, 0x1000, "/bin/b", 30);
	mmaps(&rec, 7, 0x1000, 0x2000, "/bin/a", 10);
	forks(&rec, 7, 7, 8, 8, 20);
	session_live_pass(s, rec.records.data, rec.records.n);
	session_live_pass(s, NULL, 0);
	assert_true(lies_at(s, 8, 0x1800, 25, "/bin/a"));
	assert_true(lies_at(s, 8, 0x1800, 35, "/bin/b"));
	assert_true(lies_at(s, 8, 0x2800, 35, "/bin/a"));
}

static void the_last_pass_needs_no_other(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);

	(void)state;
	mmaps(&rec, 7, 0x1000, 0x1000, "/bin/a", 10);
	session_live_pass(s, rec.records.data, rec.records.n);
	session_live_finish(s);
	assert_true(lies_at(s, 7, 0x1800, 10, "/bin/a"));
}

/* Adds a process that is forked, maps its program, is sampled and ends; its parent lives. */
static void come_and_go(struct recording *rec, uint32_t pid, uint64_t *time)
{
	struct record end = { .header.type = PERF_RECORD_EXIT,
			      .task = { .pid = pid, .ppid = 7, .tid = pid, .ptid = 7 } };
	char name[32];

	/* Each process has another program. */
	snprintf(name, sizeof(name), "/bin/%u", pid);
	forks(rec, 7, 7, pid, pid, ++*time);
	comm(rec, pid, pid, name, ++*time);
	mmaps(rec, pid, 0x1000, 0x1000, name, ++*time);
	sampled(rec, 1, pid, ++*time);
	add(rec, end, ++*time);
}

static void memory_does_not_grow_with_processes_that_come_and_go(void **state)
{
	struct recording passes[2] = { recording_new(), recording_new() };
	struct file_event events[2];
	uint64_t ids[2], time = 0;
	_cleanup_(session_freep) struct session *s = fed(&passes[0], events, ids);
	size_t most = 0;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		struct recording *pass = &passes[i % 2];

		pass->records.n = 0;
		if (!i)
			mmaps(pass, 7, 0x8000, 0x1000, "/bin/parent", 0);
		for (uint32_t pid = 100 + i * 50; pid < 150 + i * 50; pid++)
			come_and_go(pass, pid, &time);
		session_live_pass(s, pass->records.data, pass->records.n);
		/* The processes of the pass before are looked up. */
		for (uint32_t pid = 50 + i * 50; i && pid < 100 + i * 50; pid++) {
			char name[32];

			snprintf(name, sizeof(name), "/bin/%u", pid);
			assert_true(lies_at(s, pid, 0x1800, (uint64_t)(pid - 100) * 5 + 4, name));
			assert_true(lies_at(s, pid, 0x8800, (uint64_t)(pid - 100) * 5 + 4,
					    "/bin/parent"));
		}
		session_live_forget(s);
		most = s->machine.lineage.tasks.n > most ? s->machine.lineage.tasks.n : most;
		most = s->machine.images.list.n > most ? s->machine.images.list.n : most;
	}
	assert_in_range(most, 50, 4000);
	recording_done(&passes[0]);
	recording_done(&passes[1]);
}

static bool is_above_50(uint32_t pid)
{
	return pid > 50;
}

/* Feeds two passes with twice as much as must come before something is forgotten. */
static void pass_time(struct session *s, struct recording passes[2], uint64_t *time)
{
	for (unsigned i = 0; i < 2; i++) {
		passes[i].records.n = 0;
		for (unsigned k = 0; k < 8192; k++)
			comm(&passes[i], 7, 7, "lives", ++*time);
		session_live_pass(s, passes[i].records.data, passes[i].records.n);
		session_live_forget(s);
	}
}

static void processes_whose_end_was_lost_are_looked_for(void **state)
{
	struct recording passes[2] = { recording_new(), recording_new() };
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2], time = 10;
	_cleanup_(session_freep) struct session *s = fed(&passes[0], events, ids);

	(void)state;
	s->is_gone = is_above_50;
	comm(&rec, 60, 60, "gone", 5);
	session_live_pass(s, rec.records.data, rec.records.n);
	pass_time(s, passes, &time);
	pass_time(s, passes, &time);
	assert_string_equal(machine_comm(s, 60, 60, time), "gone"); /* nothing was lost */
	rec.records.n = 0;
	add(&rec, (struct record){ .header.type = PERF_RECORD_LOST, .lost = { .lost = 3 } },
	    ++time);
	session_live_pass(s, rec.records.data, rec.records.n);
	for (unsigned i = 0; i < 4; i++)
		pass_time(s, passes, &time);
	assert_string_equal(machine_comm(s, 60, 60, time), ":60");
	assert_string_not_equal(machine_comm(s, 7, 7, time), ":7");
	recording_done(&passes[0]);
	recording_done(&passes[1]);
}

/*
 * The log of a consumer: "7@10" is a sample of that tid and time, "x" the name that its thread had.
 */
struct seen {
	struct session *s;
	char text[256];
	unsigned begun;
};

static int see_begin(void *arg, struct consumer *c)
{
	struct seen *seen = arg;

	(void)c;
	seen->begun++;
	return 0;
}

static int see_samples(void *arg, const struct sample_batch *b)
{
	struct seen *seen = arg;

	for (size_t i = 0; i < b->n; i++) {
		const struct sample *s = b->items[i].sample;
		size_t at = strlen(seen->text);

		snprintf(seen->text + at, sizeof(seen->text) - at, "%u@%u:%s ", s->tid,
			 (unsigned)b->items[i].time,
			 machine_comm(seen->s, s->pid, s->tid, b->items[i].time));
	}
	return 0;
}

static int see_records(void *arg, const struct record_batch *b)
{
	struct seen *seen = arg;

	for (size_t i = 0; i < b->n; i++)
		strcat(seen->text, "comm ");
	return 0;
}

/* Feeds the records of @rec in two pieces, as if the ring had ended in the middle of one. */
static int feed_pass(struct live_feed *f, struct recording *rec)
{
	size_t half = rec->records.n / 2;
	const struct iovec pieces[2] = { { rec->records.data, half },
					 { rec->records.data + half, rec->records.n - half } };
	int r;

	live_feed_take(f, pieces);
	r = live_feed_end_pass(f);
	rec->records.n = 0;
	return r;
}

static void a_consumer_gets_passes_in_order_of_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);
	_cleanup_(live_feed_freep) struct live_feed *f = NULL;
	struct seen seen = { .s = s };
	const struct consumer consumer = { .types = RECORD_TYPE_BIT(PERF_RECORD_COMM),
					   .begin = see_begin,
					   .samples = see_samples,
					   .records = see_records,
					   .arg = &seen };

	(void)state;
	assert_int_equal(live_feed_new(s, NULL, &consumer, &f), 0);
	assert_int_equal(seen.begun, 1);
	comm(&rec, 7, 7, "x", 0);
	assert_int_equal(live_feed_tell(f, rec.records.data, rec.records.n), 0);
	assert_string_equal(seen.text, "comm ");
	rec.records.n = 0;
	sampled(&rec, 1, 7, 20);
	sampled(&rec, 2, 7, 10);
	assert_int_equal(feed_pass(f, &rec), 0);
	assert_string_equal(seen.text, "comm ");
	/* The ring with the name was emptied before the name arrived. */
	comm(&rec, 7, 7, "y", 15);
	sampled(&rec, 1, 7, 30);
	assert_int_equal(feed_pass(f, &rec), 0);
	assert_string_equal(seen.text, "comm 7@10:x comm 7@20:y ");
	assert_int_equal(live_feed_finish(f), 0);
	assert_string_equal(seen.text, "comm 7@10:x comm 7@20:y 7@30:y ");
	assert_int_equal(session_counts(s)->samples, 3);
}

static void an_empty_pass_completes_the_one_before(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct file_event events[2];
	uint64_t ids[2];
	_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);
	_cleanup_(live_feed_freep) struct live_feed *f = NULL;
	struct seen seen = { .s = s };
	const struct consumer consumer = { .samples = see_samples, .arg = &seen };

	(void)state;
	assert_int_equal(live_feed_new(s, NULL, &consumer, &f), 0);
	assert_int_equal(live_feed_end_pass(f), 0);
	sampled(&rec, 1, 7, 20);
	assert_int_equal(feed_pass(f, &rec), 0);
	assert_string_equal(seen.text, "");
	assert_int_equal(live_feed_end_pass(f), 0);
	assert_string_equal(seen.text, "7@20::7 ");
}

static void a_feed_forgets_unless_all_is_kept(void **state)
{
	static const uint32_t processes = 20000;

	(void)state;
	for (int keeps_all = 0; keeps_all < 2; keeps_all++) {
		_cleanup_(recording_done) struct recording rec = recording_new();
		struct file_event events[2];
		uint64_t ids[2], time = 0;
		_cleanup_(session_freep) struct session *s = fed(&rec, events, ids);
		_cleanup_(live_feed_freep) struct live_feed *f = NULL;

		s->keeps_all = keeps_all;
		assert_int_equal(live_feed_new(s, NULL, &(struct consumer){ 0 }, &f), 0);
		for (uint32_t pid = 100; pid < 100 + processes; pid++) {
			come_and_go(&rec, pid, &time);
			if (pid % 10 == 0)
				assert_int_equal(feed_pass(f, &rec), 0);
		}
		assert_int_equal(s->machine.lineage.tasks.n > processes / 2, keeps_all);
		assert_int_equal(s->machine.images.list.n > processes / 2, keeps_all);
	}
}

static void what_is_known_of_the_machine_can_be_asked(void **state)
{
	char arch[] = "aarch64";
	struct event_desc descs[] = { { .name = (char[]){ "mine" } }, { .name = NULL } };
	const struct features known = { .arch = arch, .event_descs = { .items = descs, .n = 2 } };
	struct file_event event = { .attr = { .type = PERF_TYPE_SOFTWARE } };
	_cleanup_(session_freep) struct session *s =
		session_live_new(&(struct session_live_options){
			.events = &event, .n_events = 1, .features = &known });
	_cleanup_(session_freep) struct session *none =
		session_live_new(&(struct session_live_options){ .events = &event, .n_events = 1 });

	(void)state;
	assert_string_equal(session_features(s)->arch, "aarch64");
	assert_string_equal(session_event(s, 0)->name, "mine");
	assert_null(session_features(none)->arch);
	assert_null(session_datafile(none));
	assert_false(session_is_stream(none));
	assert_false(session_is_swapped(none));
	assert_false(session_is_cut(none));
	assert_int_equal(session_damage_count(none), 0);
	assert_string_equal(session_path(none), "this machine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_placed_by_their_ids),
		cmocka_unit_test(half_a_record_is_none),
		cmocka_unit_test(what_was_there_before_holds_at_once),
		cmocka_unit_test(a_pass_is_complete_after_the_next),
		cmocka_unit_test(rings_are_put_in_the_order_of_time),
		cmocka_unit_test(the_last_pass_needs_no_other),
		cmocka_unit_test(memory_does_not_grow_with_processes_that_come_and_go),
		cmocka_unit_test(processes_whose_end_was_lost_are_looked_for),
		cmocka_unit_test(a_consumer_gets_passes_in_order_of_time),
		cmocka_unit_test(an_empty_pass_completes_the_one_before),
		cmocka_unit_test(a_feed_forgets_unless_all_is_kept),
		cmocka_unit_test(what_is_known_of_the_machine_can_be_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
