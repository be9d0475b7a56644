/* SPDX-License-Identifier: MIT */
#pragma once

/* The build renames main() of a test to the test's name, so that a program may have many. */
#ifdef main
int main(void);
#endif
