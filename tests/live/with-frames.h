/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks by frame pointers that name every caller, for programs of tests.
 *
 * On x86_64 gcc leaves out the frame of a leaf that has nothing on its stack,
 * -fno-omit-frame-pointer or not, and Debian's libc has no frame pointers. A stack that begins in
 * either lacks the function that called it: a limit of frame pointers that no reader can repair. On
 * aarch64 the link register has a leaf's caller, so that leaves need no frame there, and libc has
 * frame pointers.
 */
/* The first statement of a leaf whose caller must appear in the stack. */
#ifdef __x86_64__
#define KEEP_FRAME()                                                                               \
	do {                                                                                       \
		volatile char on_stack = 0;                                                        \
		(void)on_stack;                                                                    \
	} while (0)
#else
#define KEEP_FRAME() ((void)0)
#endif

/* Calls the kernel directly from the calling function, not from libc. Returns -errno on failure. */
static inline __attribute__((always_inline)) long system_call(long number, long a, long b, long c,
							      long d)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = d;
	long result;

	KEEP_FRAME();
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#endif
}
