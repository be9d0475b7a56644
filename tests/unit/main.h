/* SPDX-License-Identifier: MIT */
#pragma once

/* The build calls main() of a test by the test's name, so that a program may have many. */
#ifdef main
int main(void);
#endif
