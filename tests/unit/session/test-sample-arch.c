/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "arch/arch.h"
#include "session/sample-arch.h"

static struct session *open_session(struct recording *rec)
{
	_cleanup_(bytes_done) struct bytes file = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_options o = { 0 };
	struct session *s;
	char path[32];

	write_file(rec, &file);
	rec->fd = memfd_create("recording", MFD_CLOEXEC);
	assert_int_equal(write(rec->fd, file.data, file.n), file.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", rec->fd);
	o.path = path;
	assert_int_equal(session_open(&o, &s, &diag), 0);
	return s;
}

static void without_a_name_the_registers_tell(void **state)
{
	struct recording rec = recording_new();
	struct session *s = open_session(&rec);
	struct sample_arch m = { 0 };

	(void)state;
	assert_ptr_equal(sample_arch_find(&m, s, 0xff0fff), &arch_x86_64);
	assert_ptr_equal(sample_arch_find(&m, s, 0x1ffffffff), &arch_aarch64);
	assert_ptr_equal(sample_arch_find(&m, s, 0x1ffffffff), &arch_aarch64);
	assert_null(sample_arch_find(&m, s, 1ULL << 63));
	session_free(s);
	recording_done(&rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_name_the_registers_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
