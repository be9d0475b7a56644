/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "capture/seen-maps.h"
#include "kernel/kept-files.h"

/* The file of this program, which certainly exists. */
struct own {
	char path[4096];
	struct file_id id;
};

static struct own own_file(void)
{
	struct own o = { 0 };
	struct stat st;

	assert_true(readlink("/proc/self/exe", o.path, sizeof(o.path) - 1) > 0);
	assert_int_equal(stat(o.path, &st), 0);
	o.id = (struct file_id){ major(st.st_dev), minor(st.st_dev), st.st_ino, 0 };
	return o;
}

static void put_map(const struct own *o, uint16_t misc, struct bytes *out)
{
	const struct record r = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = misc },
		.mmap = { .pid = (uint32_t)getpid(),
			  .len = 4096,
			  .maj = o->id.maj,
			  .min = o->id.min,
			  .ino = o->id.ino,
			  .filename = o->path },
	};
	const struct attr attr = { 0 };

	assert_int_equal(record_encode(&r, &attr, out), 0);
}

static void see(struct kept_files *k, const struct iovec pieces[2])
{
	struct record_header h;

	memcpy(&h, pieces[0].iov_base, sizeof(h));
	assert_true(seen_map_matters(h.type));
	seen_map(k, pieces, 0, &h);
}

static void the_file_of_a_map_is_kept(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct own o = own_file();

	(void)state;
	put_map(&o, PERF_RECORD_MISC_USER, &b);
	see(k, (struct iovec[]){ { b.data, b.n }, { NULL, 0 } });
	assert_true(kept_files_find(k, &o.id) >= 0);
}

static void a_map_that_the_end_of_the_ring_cuts_is_read_whole(void **state)
{
	struct own o = own_file();

	(void)state;
	for (size_t cut = 8; cut < 72; cut += 8) {
		_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
		_cleanup_(bytes_done) struct bytes b = { 0 };

		put_map(&o, PERF_RECORD_MISC_USER, &b);
		see(k, (struct iovec[]){ { b.data, cut }, { b.data + cut, b.n - cut } });
		assert_true(kept_files_find(k, &o.id) >= 0);
	}
}

static void data_is_not_kept(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct own o = own_file();

	(void)state;
	put_map(&o, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, &b);
	see(k, (struct iovec[]){ { b.data, b.n }, { NULL, 0 } });
	assert_int_equal(kept_files_find(k, &o.id), -ENOENT);
}

static void a_record_that_is_cut_is_passed_over(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	struct record_header h = { .type = PERF_RECORD_MMAP2, .size = 16 };
	uint64_t words[2] = { 0 };

	(void)state;
	memcpy(words, &h, sizeof(h));
	see(k, (struct iovec[]){ { words, sizeof(words) }, { NULL, 0 } });
	h.type = PERF_RECORD_FORK;
	memcpy(words, &h, sizeof(h));
	see(k, (struct iovec[]){ { words, sizeof(words) }, { NULL, 0 } });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_of_a_map_is_kept),
		cmocka_unit_test(a_map_that_the_end_of_the_ring_cuts_is_read_whole),
		cmocka_unit_test(data_is_not_kept),
		cmocka_unit_test(a_record_that_is_cut_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
