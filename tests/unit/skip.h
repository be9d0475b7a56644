/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A test that cannot run here prints the reason, in the comment before its line. cmocka.h comes
 * first.
 */
#define skip_because(why)                                                                          \
	do {                                                                                       \
		print_message("# %s\n", why);                                                      \
		skip();                                                                            \
	} while (0)
