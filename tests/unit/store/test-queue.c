/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "scratch-folder.h"
#include "store/data.h"
#include "store/parcel.h"
#include "store/queue.h"
#include "store/sqlite.h"
#include "store/store.h"

#define FOREVER (UINT64_C(1) << 40)

/* Records the minutes of the batches it is given, and returns the answers that the test chooses. */
struct fake_store {
	struct fleet_store store;
	int64_t minutes[16];
	size_t n;
	int answer;                   /* for the batch of this minute: */
	int64_t answered;             /* -1: none */
	struct fleet_receipt receipt; /* for each batch that is accepted */
	const char *removes;          /* a command that removes parcels, once; or NULL */
};

static int fake_put(struct fleet_store *store, const struct fleet_data *d,
		    struct fleet_receipt *ret, struct diag *diag)
{
	struct fake_store *s = (struct fake_store *)store;
	int64_t minute = fleet_row(d, FLEET_BATCH, 0)[BATCH_MINUTE].number;

	if (s->removes)
		assert_true(system(s->removes) >= 0);
	s->removes = NULL;
	errno = EIO; /* a store may leave any number there */
	if (minute == s->answered)
		return diag_set(diag, s->answer, "minute %" PRId64, minute);
	s->minutes[s->n++] = minute;
	*ret = s->receipt;
	return 0;
}

static const struct fleet_store_class fake_class = { .put = fake_put };

static struct fake_store fake_store(void)
{
	return (struct fake_store){ .store.class = &fake_class,
				    .answered = -1,
				    .receipt.n_new = 1 };
}

static struct fleet_queue *queue_of(const char *target)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_queue *q = NULL;

	assert_int_equal(fleet_queue_open("queue", target, &q, &diag), 0);
	return q;
}

static struct fleet_data *data_of(int64_t minute)
{
	struct fleet_data *d = fleet_data_new();
	int64_t image = fleet_add_image(d, "00ff", "/bin/x", false);

	fleet_add(d, FLEET_SAMPLE,
		  (union fleet_cell[N_SAMPLE_COLUMNS]){
			  [SAMPLE_MINUTE].number = minute,
			  [SAMPLE_SOURCE].number =
				  fleet_add_source(d, &(struct fleet_source){ "h", "", "", "x" }),
			  [SAMPLE_EVENT].number = fleet_add_event(d, "cycles", false),
			  [SAMPLE_STACK].number = fleet_add_stack(
				  d, 0, fleet_add_function(d, image, "main", false)),
			  [SAMPLE_SAMPLES].number = 1,
			  [SAMPLE_PERIOD].number = 100 });
	fleet_make_batches(d, &(struct fleet_recording){ .host = "h" });
	return d;
}

static void add(struct fleet_queue *q, int64_t minute)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = data_of(minute);
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(fleet_queue_add(q, d, &diag), 0);
}

static int sent_to(struct fleet_queue *q, struct fake_store *s, struct fleet_sent *sent)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	*sent = (struct fleet_sent){ 0 };
	return fleet_queue_send(q, &s->store, sent, &diag);
}

static void the_oldest_goes_first_and_nothing_stays(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	add(q, 180);
	add(q, 60);
	add(q, 120);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.minutes[0], 60);
	assert_int_equal(s.minutes[1], 120);
	assert_int_equal(s.minutes[2], 180);
	assert_int_equal(sent.receipt.n_new, 3);
	assert_int_equal(fleet_queue_length(q), 0);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 3);
}

/* The store stops answering at the second of three batches. */
static void what_a_store_does_not_answer_waits_with_all_that_follow(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	add(q, 60);
	add(q, 120);
	add(q, 180);
	s.answered = 120;
	for (int i = 0; i < 2; i++) {
		s.answer = i ? -EINTR : -EAGAIN;
		assert_int_equal(sent_to(q, &s, &sent), s.answer);
		assert_int_equal(sent.n_refused, 0);
		assert_int_equal(s.n, 1);
		assert_int_equal(fleet_queue_length(q), 2);
	}
	s.answered = -1;
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.minutes[2], 180);
}

static void a_refusal_is_the_parcels_fault_if_the_store_takes_another(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	s.answered = 60;
	s.answer = -EINVAL;
	add(q, 60);
	assert_int_equal(sent_to(q, &s, &sent), -EINVAL);
	assert_int_equal(sent.n_refused, 0);
	assert_int_equal(fleet_queue_length(q), 1);
	add(q, 120);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(sent.n_refused, 1);
	assert_string_equal(sent.refusal, "minute 60");
	assert_int_equal(fleet_queue_length(q), 0);
	free(sent.refusal);
	/* The parcel is kept for inspection, and not sent again. */
	s.answered = -1;
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(fleet_queue_limit(q, 0), 1);
}

/* A process was killed after the store had the rows and before the parcel was removed. */
static void what_was_sent_and_not_removed_is_sent_again(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	add(q, 60);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	add(q, 60);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.minutes[1], 60);
}

static void the_same_parcel_waits_once(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");

	(void)state;
	add(q, 60);
	add(q, 60);
	assert_int_equal(fleet_queue_length(q), 1);
}

static void nothing_is_no_parcel(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(fleet_queue_add(q, d, &diag), 0);
	assert_int_equal(fleet_queue_length(q), 0);
}

/*
 * A parcel that is only partly written has another name, and a killed process does not finish it.
 */
static void what_is_half_written_is_not_sent(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(freep) char *half = xasprintf("%s/1-0.new", fleet_queue_folder(q));
	const struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	assert_int_equal(output_file_replace(half, "SQLite", 6, 0600), 0);
	add(q, 60);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(sent.n_damaged, 0);
	assert_int_equal(fleet_queue_limit(q, FOREVER), 0);
	assert_int_equal(access(half, F_OK), 0);
	assert_int_equal(utimensat(AT_FDCWD, half, old, 0), 0);
	assert_int_equal(fleet_queue_limit(q, FOREVER), 0);
	assert_int_equal(access(half, F_OK), -1);
}

static void the_newest_stay_within_the_limit(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	struct fleet_sent sent;
	struct stat st;

	(void)state;
	add(q, 60);

	_cleanup_(freep) char *command = xasprintf("cp %s/*.parcel one", fleet_queue_folder(q));

	assert_int_equal(system(command), 0);
	assert_int_equal(stat("one", &st), 0);
	add(q, 120);
	add(q, 180);
	assert_int_equal(fleet_queue_limit(q, 3 * (uint64_t)st.st_size), 0);
	assert_int_equal(fleet_queue_limit(q, 3 * (uint64_t)st.st_size - 1), 1);
	assert_int_equal(fleet_queue_length(q), 2);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.minutes[0], 120);
	assert_int_equal(s.minutes[1], 180);
}

static void each_store_has_a_queue_that_is_its_users_alone(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *a = queue_of("a"), *b = queue_of("b");
	struct stat st;

	(void)state;
	add(a, 60);
	assert_int_equal(fleet_queue_length(a), 1);
	assert_int_equal(fleet_queue_length(b), 0);
	assert_int_equal(stat(fleet_queue_folder(a), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
}

/* Four processes add 16 parcels, while another one holds the queue all the time. */
static void all_processes_may_add_and_one_may_send(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	struct fleet_sent sent;
	int status;

	(void)state;
	assert_true(fleet_queue_take(q));
	assert_false(fleet_queue_take(q));
	for (int64_t i = 0; i < 4; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child)
			continue;

		struct fleet_queue *own = queue_of("a");

		for (int64_t k = 0; k < 4; k++)
			add(own, 60 * (4 * k + i));
		_exit(fleet_queue_take(own) ? 1 : 0);
	}
	for (int i = 0; i < 4; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 16);
	for (int64_t i = 0; i < 16; i++)
		assert_int_equal(s.minutes[i], 60 * i);
	fleet_queue_give_back(q);
	assert_true(fleet_queue_take(q));
}

/* The lock ends with the process that held it. */
static void a_killed_process_gives_the_queue_back(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		bool taken = fleet_queue_take(queue_of("a"));

		raise(taken ? SIGKILL : SIGTERM);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_true(fleet_queue_take(q));
}

static void a_folder_that_cannot_be_made_is_named(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_queue *q = NULL;

	(void)state;
	assert_int_equal(output_file_replace("file", "x", 1, 0600), 0);
	assert_true(fleet_queue_open("file", "a", &q, &diag) < 0);
	assert_null(q);
	assert_non_null(strstr(diag.message, "'file/"));
	assert_non_null(strstr(diag.hint, "--queue"));
}

static void what_was_given_back_another_may_take(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a"), *other = queue_of("a");

	(void)state;
	fleet_queue_give_back(q); /* nothing was taken */
	assert_true(fleet_queue_take(q));
	assert_false(fleet_queue_take(other));
	fleet_queue_give_back(other);
	assert_false(fleet_queue_take(other));
	fleet_queue_give_back(q);
	assert_true(fleet_queue_take(other));
	assert_false(fleet_queue_take(q));
}

/* A parcel that another process has removed by now; here it is a link that leads nowhere. */
static void the_limit_goes_on_behind_what_is_gone(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(freep) char *gone = xasprintf("%s/000000000090-0.parcel", fleet_queue_folder(q));
	_cleanup_(freep) char *later = xasprintf("%s/000000000990-0.parcel", fleet_queue_folder(q));
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	add(q, 60);
	add(q, 120);
	assert_int_equal(symlink("nowhere", gone), 0);
	assert_int_equal(symlink("nowhere", later), 0);
	assert_int_equal(fleet_queue_limit(q, FOREVER), 0);
	assert_int_equal(fleet_queue_length(q), 4);
	/* Sending goes on as well. */
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(sent.n_damaged + sent.n_refused, 0);
	add(q, 60);
	add(q, 120);
	assert_int_equal(fleet_queue_limit(q, 0), 2);
	assert_int_equal(fleet_queue_length(q), 2);
}

static void receipts_add_up(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	struct fake_store s = fake_store();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_sent sent = { .receipt = { .n_new = 10, .n_known = 20, .n_collisions = 30 } };

	(void)state;
	s.receipt = (struct fleet_receipt){ .n_new = 1, .n_known = 2, .n_collisions = 3 };
	add(q, 60);
	add(q, 120);
	assert_int_equal(fleet_queue_send(q, &s.store, &sent, &diag), 0);
	assert_int_equal(sent.receipt.n_new, 12);
	assert_int_equal(sent.receipt.n_known, 24);
	assert_int_equal(sent.receipt.n_collisions, 36);
}

static void what_is_damaged_is_set_aside(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(freep) char *bad = xasprintf("%s/000000000090-0.parcel", fleet_queue_folder(q));
	_cleanup_(freep) char *aside = xasprintf("%s.damaged", bad);
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	assert_int_equal(output_file_replace(bad, "no parcel", 9, 0600), 0);
	add(q, 60);
	add(q, 120);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(sent.n_damaged, 1);
	assert_int_equal(sent.n_refused, 0);
	assert_null(sent.refusal);
	assert_int_equal(access(bad, F_OK), -1);
	assert_int_equal(access(aside, F_OK), 0);
	assert_int_equal(fleet_queue_length(q), 0);
	assert_int_equal(fleet_queue_limit(q, 9), 0);
	assert_int_equal(fleet_queue_limit(q, 8), 1);
}

static void the_first_refusal_is_told(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fake_store s = fake_store();
	struct fleet_sent sent = { 0 };

	(void)state;
	s.answered = 60;
	s.answer = -EINVAL;
	add(q, 60);
	assert_int_equal(fleet_queue_send(q, &s.store, &sent, &diag), -EINVAL);
	assert_string_equal(diag.message, "minute 60");
	assert_null(sent.refusal);
	fleet_queue_close(NULL);
}

static void only_whole_names_are_parcels(void **state)
{
	static const char *const others[] = { ".parcel", "x.parce", "parcel", "x.parcel.old" };
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", fleet_queue_folder(q), others[i]);

		assert_int_equal(output_file_replace(path, "x", 1, 0600), 0);
	}
	assert_int_equal(fleet_queue_length(q), 0);
	assert_int_equal(fleet_queue_limit(q, 0), 0);
}

/* Another process sends the same parcel, and finishes first. */
static void a_parcel_that_goes_meanwhile_is_no_error(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(freep) char *all = xasprintf("rm %s/*.parcel", fleet_queue_folder(q));

	(void)state;
	for (int refuses = 0; refuses < 2; refuses++) {
		struct fake_store s = fake_store();
		struct fleet_sent sent;

		s.removes = all;
		s.answered = refuses ? 60 : -1;
		s.answer = -EINVAL;
		add(q, 60);
		add(q, 120);
		assert_int_equal(sent_to(q, &s, &sent), refuses ? -EINVAL : 0);
		assert_int_equal(s.n, refuses ? 0 : 1);
		assert_int_equal(fleet_queue_length(q), 0);
	}
}

static void a_refused_parcel_that_goes_meanwhile_is_no_error(void **state)
{
	_cleanup_(fleet_queue_closep) struct fleet_queue *q = queue_of("a");
	_cleanup_(freep) char *first = xasprintf("rm %s/000000000060-*.parcel",
						 fleet_queue_folder(q));
	struct fake_store s = fake_store();
	struct fleet_sent sent;

	(void)state;
	s.removes = first;
	s.answered = 60;
	s.answer = -EINVAL;
	add(q, 60);
	add(q, 120);
	assert_int_equal(sent_to(q, &s, &sent), 0);
	assert_int_equal(sent.n_refused, 1);
	assert_string_equal(sent.refusal, "minute 60");
	free(sent.refusal);
	assert_int_equal(fleet_queue_length(q), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_oldest_goes_first_and_nothing_stays),
		TEST(what_a_store_does_not_answer_waits_with_all_that_follow),
		TEST(a_refusal_is_the_parcels_fault_if_the_store_takes_another),
		TEST(what_was_sent_and_not_removed_is_sent_again),
		TEST(the_same_parcel_waits_once),
		TEST(nothing_is_no_parcel),
		TEST(what_is_half_written_is_not_sent),
		TEST(the_newest_stay_within_the_limit),
		TEST(each_store_has_a_queue_that_is_its_users_alone),
		TEST(all_processes_may_add_and_one_may_send),
		TEST(a_killed_process_gives_the_queue_back),
		TEST(a_folder_that_cannot_be_made_is_named),
		TEST(what_was_given_back_another_may_take),
		TEST(the_limit_goes_on_behind_what_is_gone),
		TEST(receipts_add_up),
		TEST(what_is_damaged_is_set_aside),
		TEST(the_first_refusal_is_told),
		TEST(only_whole_names_are_parcels),
		TEST(a_parcel_that_goes_meanwhile_is_no_error),
		TEST(a_refused_parcel_that_goes_meanwhile_is_no_error),
	};
	struct diag diag = { 0 };

	if (sqlite_load(&diag) < 0) {
		puts("1..0 # SKIP there is no SQLite");
		diag_done(&diag);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
