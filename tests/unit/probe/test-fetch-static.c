/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "dwarf/dwarf-elf.h"
#include "elf/file.h"
#include "made-target.h"
#include "made-types.h"

#define DATA(name, addr)                                                                           \
	{                                                                                          \
		name, addr, 8, STB_GLOBAL, STT_OBJECT, 1, 0                                        \
	}

static const struct built_symbol symbols[] = {
	DATA("other", 0x5000),     DATA("wanted", 0x5000), DATA("third", 0x5000),
	DATA("counter.3", 0x5010), DATA("twin", 0x5020),   DATA("_text", 0x2000),
	DATA("twin", 0x5030),      DATA("early", 0x1000),  DATA("early", 0x1010),
};

static const struct built_symbol exported[] = { DATA("shared", 0x6000) };

struct fixture {
	struct built_elf elf;
	struct made_fetch f;
	struct debug_place place;
};

static void begin(struct fixture *x, const struct built_symbol *s, size_t n)
{
	struct elf_file *f;

	made_begin(&x->f, EM_AARCH64);
	built_begin(&x->elf);
	dwarf_add(&x->elf, &(struct dwarf_change){ .depth = 0 });
	built_add_symbols(&x->elf, SHT_SYMTAB, s, n);
	built_add_symbols(&x->elf, SHT_DYNSYM, exported, 1);
	built_end(&x->elf, EM_AARCH64, ET_EXEC);
	assert_int_equal(elf_file_open_memory(x->elf.bytes, x->elf.size, &f), 0);
	assert_int_equal(debug_info_open(f, NULL, &x->f.fetch.info), 0);
	x->f.fetch.target = made_kernel(&(struct probe_symbol){ .name = "x" }, 1);
	x->place = (struct debug_place){ .addr = 0x3000 };
	x->f.fetch.place = &x->place;
	x->f.probe.offset = 0x100;
}

static void end(struct fixture *x)
{
	debug_info_free(x->f.fetch.info);
	probe_target_free(x->f.fetch.target);
	made_end(&x->f);
}

static void is_text(struct fixture *x, const char *name, const char *symbol, uint64_t addr,
		    int64_t step, const char *expected)
{
	struct fetch_value v = { .name = name, .symbol = symbol };

	v.at = (struct variable_place){ .where = VARIABLE_MEMORY,
					.is_static = true,
					.addr = addr,
					.steps = { step },
					.n_steps = 1 };

	char *text = fetch_static_text(&x->f.fetch, &v);

	assert_string_equal(text ? text : "(none)", expected);
	free(text);
}

static void the_kernel_knows_its_variables_by_symbol(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, symbols, ARRAY_SIZE(symbols));
	is_text(&x, "wanted", NULL, 0x5000, 0, "@wanted+0");
	is_text(&x, "wanted", NULL, 0x5000, 8, "@wanted+8");
	is_text(&x, "wanted", NULL, 0x5000, -8, "@wanted-8");
	is_text(&x, "other", NULL, 0x5000, 0, "@other+0");
	is_text(&x, "third", NULL, 0x5000, 0, "@third+0");
	/* Without a symbol of its own name, the first one is used. */
	is_text(&x, "unknown", NULL, 0x5000, 4, "@other+4");
	is_text(&x, "counter", NULL, 0x5010, 0, "@counter.3+0");
	is_text(&x, "jiffies", "jiffies", 0, 4, "@jiffies+4");
	end(&x);
}

static void names_that_are_not_unique_count_from_the_text(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, symbols, ARRAY_SIZE(symbols));
	is_text(&x, "twin", NULL, 0x5020, 8, "@_text+12328");
	is_text(&x, "twin", NULL, 0x5030, 0, "@_text+12336");
	is_text(&x, "nameless", NULL, 0x5040, 0, "@_text+12352");
	is_text(&x, "start", NULL, 0x2000, 0, "@_text+0");
	/* A variable before the text cannot count from it. */
	is_text(&x, "early", NULL, 0x1000, 0, "@early+0");
	is_text(&x, "nameless", NULL, 0x1ff8, 0, "@nameless+0");
	/* In a module, only the names of the module are searched. */
	x.f.fetch.target->kind = PROBE_MODULE;
	is_text(&x, "twin", NULL, 0x5020, 8, "@twin+8");
	end(&x);
}

static void without_text_the_name_is_all_there_is(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, symbols, 5);
	is_text(&x, "nameless", NULL, 0x5040, 4, "@nameless+4");
	end(&x);
}

/* The distance from the probe is the same as in memory. */
static void of_a_program_the_distance_from_the_probe_counts(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x, symbols, ARRAY_SIZE(symbols));
	x.f.fetch.target->kind = PROBE_PROGRAM;
	is_text(&x, "wanted", NULL, 0x5000, 0, "@+0x2100");
	is_text(&x, "wanted", NULL, 0x5000, 8, "@+0x2108");
	is_text(&x, "wanted", NULL, 0x5000, -8, "@+0x20f8");
	is_text(&x, "wanted", "wanted", 0, 0, "@+0x2100");
	is_text(&x, "shared", "shared", 0, 16, "@+0x3110");
	assert_null(x.f.diag.message);
	is_text(&x, "errno", "errno", 0x5000, 0, "(none)");
	made_says(&x.f, 2, 4, "'errno' is each thread's own, or lies in another file",
		  "probes can read variables of the program or library that they are in, if all "
		  "threads share them");
	end(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_knows_its_variables_by_symbol),
		cmocka_unit_test(names_that_are_not_unique_count_from_the_text),
		cmocka_unit_test(without_text_the_name_is_all_there_is),
		cmocka_unit_test(of_a_program_the_distance_from_the_probe_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
