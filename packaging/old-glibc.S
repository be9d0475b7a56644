/* SPDX-License-Identifier: MIT */
/*
 * Functions that glibc changed or moved from one library to another after 2.24. By default the linker
 * takes their newest version. Each line makes it take the version that has always existed, also for
 * the static libraries.
 */
#if defined(__x86_64__)
#define FIRST GLIBC_2.2.5
#define AFFINITY GLIBC_2.3.4
#define CLOCKS GLIBC_2.3.3
#elif defined(__aarch64__)
#define FIRST GLIBC_2.17
#define AFFINITY GLIBC_2.17
#define CLOCKS GLIBC_2.17
#endif

	.macro old name, version
	.symver	old_\name, \name@\version
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
#if defined(__x86_64__)
	jmp	old_\name@PLT
#else
	b	old_\name
#endif
	.size	\name, . - \name
	.endm

	.macro	renamed name, to
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
#if defined(__x86_64__)
	jmp	\to@PLT
#else
	b	\to
#endif
	.size	\name, . - \name
	.endm

	.text
	.p2align 4
	/* libdl, part of libc since 2.34 */
	old	dlclose, FIRST
	old	dlerror, FIRST
	old	dlopen, FIRST
	old	dlsym, FIRST
	/* libpthread, part of libc since 2.34 */
	old	pthread_attr_setaffinity_np, AFFINITY
	old	pthread_attr_setstacksize, FIRST
	old	pthread_condattr_setclock, CLOCKS
	old	pthread_create, FIRST
	old	pthread_detach, FIRST
	old	pthread_getspecific, FIRST
	old	pthread_join, FIRST
	old	pthread_key_create, FIRST
	old	pthread_key_delete, FIRST
	old	pthread_mutex_trylock, FIRST
	old	pthread_once, FIRST
	old	pthread_rwlock_destroy, FIRST
	old	pthread_rwlock_init, FIRST
	old	pthread_rwlock_rdlock, FIRST
	old	pthread_rwlock_tryrdlock, FIRST
	old	pthread_rwlock_unlock, FIRST
	old	pthread_rwlock_wrlock, FIRST
	old	pthread_setaffinity_np, AFFINITY
	old	pthread_setspecific, FIRST
	old	pthread_sigmask, FIRST
	old	sem_destroy, FIRST
	old	sem_init, FIRST
	old	sem_post, FIRST
	old	sem_trywait, FIRST
	old	sem_wait, FIRST
	/* libm: without errors in errno and matherr() since 2.29 */
	old	exp, FIRST
	old	log, FIRST
	old	log2, FIRST
	old	pow, FIRST
	/* follows dangling links since 2.27 */
	old	glob64, FIRST
	/* the names in headers since 2.38 of functions that also read binary numbers (C23) */
	renamed	__isoc23_fscanf, __isoc99_fscanf
	renamed	__isoc23_sscanf, __isoc99_sscanf
	renamed	__isoc23_strtoimax, strtoimax
	renamed	__isoc23_strtol, strtol
	renamed	__isoc23_strtoll, strtoll
	renamed	__isoc23_strtoul, strtoul
	renamed	__isoc23_strtoull, strtoull
	renamed	__isoc23_strtoumax, strtoumax
	renamed	__isoc23_vsscanf, __isoc99_vsscanf

	.section .note.GNU-stack, "", %progbits
