/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "event/filter.h"
#include "tracepoint/format.h"

/* One field of each kind. tests/live/filter.sh asks the kernel itself about these filters. */
static const char format_text[] =
	"name: thing\n"
	"ID: 1\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * filename;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:void * callsite;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t cpumask;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:__u8 saddr[4];\toffset:52;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned int nr_sector;\toffset:56;\tsize:4;\tsigned:0;\n"
	"\n"
	"print fmt: \"\"\n";

static struct tracepoint_format *format;

static int set_up(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	return tracepoint_format_parse(format_text, &format, &diag);
}

static int tear_down(void **state)
{
	(void)state;
	tracepoint_format_free(format);
	return 0;
}

static void takes(const char *filter)
{
	struct diag diag = { 0 };

	if (filter_check(filter, format, &diag) < 0)
		fail_msg("%s: %s", filter, diag.message);
	assert_null(diag.message);
}

/* Checks that @filter is refused; the marked part is @token, and message or hint contain @why. */
static void refuses(const char *filter, const char *token, const char *why)
{
	struct diag diag = { 0 };

	if (filter_check(filter, format, &diag) != -EINVAL)
		fail_msg("%s: was taken", filter);
	assert_string_equal(diag.excerpt, filter);
	if (diag.length != strlen(token) || strncmp(filter + diag.offset, token, diag.length) != 0)
		fail_msg("%s: marks %zu+%zu, not '%s'", filter, diag.offset, diag.length, token);
	if (!strstr(diag.message, why) && !(diag.hint && strstr(diag.hint, why)))
		fail_msg("%s: says '%s', not '%s'", filter, diag.message, why);
	diag_done(&diag);
}

static void numbers_take_the_numeric_operators(void **state)
{
	(void)state;
	takes("prev_pid == 1");
	takes("prev_pid != 1");
	takes("prev_pid < 1");
	takes("prev_pid <= 1");
	takes("prev_pid > 1");
	takes("prev_pid >= 1");
	takes("nr_sector & 0x40");
	takes("common_pid == 1");
	takes("saddr == 1");
	takes("callsite == 0xffff800080000000");
}

static void text_takes_equality_and_globs(void **state)
{
	(void)state;
	takes("comm == \"bash\"");
	takes("comm != 'ba\"sh'");
	takes("name ~ \"eth*\"");
	takes("filename ~ \"/etc/*\"");
	takes("filename.ustring == \"/etc/passwd\"");
	takes("COMM == \"a && (b\"");
	takes("name == \"\"");
}

static void blanks_are_optional(void **state)
{
	(void)state;
	takes("prev_pid==1&&nr_sector>3||!(name~\"a\")");
	takes(" \t( prev_pid\t== 1 )\n");
}

static void comparisons_are_joined_and_nested(void **state)
{
	(void)state;
	takes("prev_pid == 1 && nr_sector == 2 || comm == \"x\"");
	takes("!(prev_pid == 1 || !(nr_sector > 2)) && ((comm ~ \"*x\"))");
	takes("!!prev_pid == 1");
}

static void every_event_has_cpu_comm_and_stacktrace(void **state)
{
	(void)state;
	takes("CPU == 1");
	takes("cpu < 4");
	takes("COMM ~ \"ba*\"");
	takes("CPU >= -1");
	takes("stacktrace == 1");
	refuses("stacktrace == -1", "-1", "never negative");
	refuses("CPU ~ \"1\"", "~", "is a number");
	refuses("COMM == 1", "1", "is text");
}

static void numbers_are_written_as_the_kernel_reads_them(void **state)
{
	(void)state;
	takes("prev_pid == -1");
	takes("prev_pid == 0x1F");
	takes("prev_pid == 0X1f");
	takes("prev_pid == 017");
	takes("prev_pid == 9223372036854775807");
	takes("prev_pid == -9223372036854775808");
	takes("nr_sector == 18446744073709551615");
	refuses("prev_pid == 08", "08", "not a whole number");
	refuses("prev_pid == 0b11", "0b11", "not a whole number");
	refuses("prev_pid == 1.5", "1.5", "not a whole number");
	refuses("prev_pid == 1k", "1k", "not a whole number");
	refuses("prev_pid == 0x", "0x", "not a whole number");
	refuses("prev_pid == -", "-", "not a whole number");
	refuses("prev_pid == 9223372036854775808", "9223372036854775808", "too large");
	refuses("nr_sector == 18446744073709551616", "18446744073709551616", "too large");
}

static void a_negative_number_for_an_unsigned_field_is_translated(void **state)
{
	(void)state;
	refuses("nr_sector == -100", "-100", "0xffffff9c");
	refuses("common_type == -1", "-1", "0xffff");
}

static void operators_written_wrongly_are_corrected(void **state)
{
	(void)state;
	refuses("nr_sector => 100", "=>", "write >=");
	refuses("nr_sector =< 100", "=<", "write <=");
	refuses("nr_sector = 100", "=", "write ==");
	refuses("nr_sector === 100", "===", "write ==");
	refuses("nr_sector <> 100", "<>", "write !=");
	refuses("comm !~ \"x\"", "!~", "write !(comm ~ \"...\")");
	refuses("comm =~ \"x\"", "=~", "write ~");
	refuses("nr_sector ^ 1", "^", "operators: ==");
	refuses("prev_pid == 1 and prev_pid == 2", "and", "write &&");
	refuses("prev_pid == 1 OR prev_pid == 2", "OR", "write ||");
	refuses("prev_pid == 1 | prev_pid == 2", "|", "write ||");
	refuses("(prev_pid & 1) == 1", "==", "compared again");
}

static void operators_must_suit_the_field(void **state)
{
	(void)state;
	refuses("comm < \"b\"", "<", "==, != and ~ only");
	refuses("name & 1", "&", "==, != and ~ only");
	refuses("prev_pid ~ \"5*\"", "~", "is a number (pid_t)");
	refuses("saddr ~ \"5*\"", "~", "is a number (__u8[4])");
}

static void values_must_suit_the_field(void **state)
{
	(void)state;
	refuses("comm == 5", "5", "\"5\"");
	refuses("comm == bash", "bash", "write \"bash\"");
	refuses("prev_pid == \"5\"", "\"5\"", "not text");
	refuses("prev_pid == abc", "abc", "not a number");
	refuses("prev_pid == nr_sector", "nr_sector", "not with another field");
	refuses("comm == \"bash", "\"bash", "closing \" is missing");
}

static void an_unknown_field_brings_the_nearest_and_all_names(void **state)
{
	(void)state;
	refuses("prev_pid == 1 && nrsector > 1", "nrsector", "did you mean 'nr_sector'");
	refuses("zzz == 1", "zzz", "fields of thing: comm, prev_pid, name,");
	refuses("zzz == 1", "zzz", "fields of every event: common_type, common_pid, CPU,");
	refuses("1 == prev_pid", "1", "begins with a field's name");
	refuses("$x == 1", "$x", "a field's name is expected");
	refuses("saddr[0] == 1", "[", "elements of an array");
}

static void what_is_missing_is_asked_for_where_it_is_missing(void **state)
{
	(void)state;
	refuses("", "", "the filter is empty");
	refuses("()", "", "a comparison is expected");
	refuses("prev_pid", "", "an operator and a value");
	refuses("prev_pid && comm", "&", "an operator and a value");
	refuses("prev_pid ==", "", "a value is expected");
	refuses("(prev_pid == )", "", "a value is expected");
	refuses("prev_pid == 1 &&", "", "a comparison is expected");
	refuses("prev_pid == 1 || || comm == \"a\"", "", "a comparison is expected");
	refuses("prev_pid == 1 comm == \"a\"", "comm", "&& or || is expected");
}

static void parentheses_must_balance(void **state)
{
	(void)state;
	refuses("(prev_pid == 1", "(", "never closed");
	refuses("prev_pid == 1)", ")", "no ( before it");
	refuses("((prev_pid == 1) && (nr_sector == 2)", "(", "never closed");
}

static void sets_of_cpus_are_lists_in_braces(void **state)
{
	(void)state;
	takes("cpumask & CPUS{0-3,5}");
	takes("CPU == CPUS{0}");
	takes("CPU != CPUS{ 0-N, 2 }");
	takes("prev_pid & CPUS{all}");
	takes("CPU & CPUS{0-7:1/2}");
	refuses("CPU < CPUS{0}", "CPUS{0}", "==, != and & only");
	refuses("comm == CPUS{0}", "CPUS{0}", "cannot be a set of CPUs");
	refuses("CPU == CPUS{}", "CPUS{}", "empty");
	refuses("CPU == CPUS{0", "CPUS{0", "write a set of CPUs as");
	refuses("CPU == CPUS{0,3-1}", "3-1", "not a range of CPUs");
	refuses("CPU == CPUS{0,x}", "x", "not a range of CPUs");
}

static void functions_are_names_without_quotes(void **state)
{
	(void)state;
	takes("callsite.function == schedule");
	takes("callsite.function != schedule.isra.0");
	takes("callsite.function == 0xffff800080000000");
	refuses("callsite.function ~ schedule", "~", "== and != only");
	refuses("callsite.function == \"schedule\"", "\"", "without quotes");
	refuses("callsite.function == 0xzz", "0xzz", "not an address");
	refuses("callsite.function ==", "", "function's name is expected");
	refuses("prev_pid.function == schedule", "prev_pid", "not an address");
	refuses("callsite.symbol == schedule", ".symbol", "only .ustring and .function");
}

static void texts_longer_than_the_kernel_takes_are_refused(void **state)
{
	(void)state;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	_cleanup_(freep) char *word = xcalloc(1, 400), *filter = xcalloc(1, page + 1);
	struct diag diag = { 0 };

	memset(word, 'a', 256);

	_cleanup_(freep) char *long_value = xasprintf("comm == \"%s\"", word);

	assert_int_equal(filter_check(long_value, format, &diag), -EINVAL);
	long_value[strlen(long_value) - 2] = '"';
	long_value[strlen(long_value) - 1] = ' ';
	assert_int_equal(filter_check(long_value, format, &diag), 0);
	memset(filter, '(', page);
	assert_int_equal(filter_check(filter, format, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "is longer than"));
	filter[page - 1] = '\0';
	assert_int_equal(filter_check(filter, format, &diag), -EINVAL);
	assert_string_equal(diag.message, "a comparison is expected here");
	diag_done(&diag);
}

static void other_events_take_address_filters_only(void **state)
{
	(void)state;
	struct diag diag = { 0 };

	assert_int_equal(filter_check("filter main @ /bin/x", NULL, &diag), 0);
	assert_int_equal(filter_check(" start 0x1000,stop 0x2000", NULL, &diag), 0);
	assert_int_equal(filter_check("tracestop func1", NULL, &diag), 0);
	assert_int_equal(filter_check("filtering", NULL, &diag), -EINVAL);
	assert_int_equal(filter_check("prev_pid == 1", NULL, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "not a tracepoint"));
	assert_non_null(strstr(diag.hint, "tracestop"));
	diag_done(&diag);
}

static void function_tracing_has_a_grammar_of_its_own(void **state)
{
	(void)state;
	struct tracepoint_format function = { .name = (char *)"function" };
	struct diag diag = { 0 };

	assert_int_equal(filter_check("ip == schedule,do_exit", &function, &diag), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_take_the_numeric_operators),
		cmocka_unit_test(text_takes_equality_and_globs),
		cmocka_unit_test(blanks_are_optional),
		cmocka_unit_test(comparisons_are_joined_and_nested),
		cmocka_unit_test(every_event_has_cpu_comm_and_stacktrace),
		cmocka_unit_test(numbers_are_written_as_the_kernel_reads_them),
		cmocka_unit_test(a_negative_number_for_an_unsigned_field_is_translated),
		cmocka_unit_test(operators_written_wrongly_are_corrected),
		cmocka_unit_test(operators_must_suit_the_field),
		cmocka_unit_test(values_must_suit_the_field),
		cmocka_unit_test(an_unknown_field_brings_the_nearest_and_all_names),
		cmocka_unit_test(what_is_missing_is_asked_for_where_it_is_missing),
		cmocka_unit_test(parentheses_must_balance),
		cmocka_unit_test(sets_of_cpus_are_lists_in_braces),
		cmocka_unit_test(functions_are_names_without_quotes),
		cmocka_unit_test(texts_longer_than_the_kernel_takes_are_refused),
		cmocka_unit_test(other_events_take_address_filters_only),
		cmocka_unit_test(function_tracing_has_a_grammar_of_its_own),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
