/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a program. Before 2.34 glibc did not run the constructors of the program itself:
 * it called a function that the program brought along, and newer versions still do when there is
 * one.
 */
typedef int main_fn(int argc, char **argv, char **envp);
typedef void constructor_fn(int argc, char **argv, char **envp);

extern constructor_fn *__preinit_array_start[], *__preinit_array_end[];
extern constructor_fn *__init_array_start[], *__init_array_end[];
#pragma GCC visibility push(hidden)
int __libc_start_main(main_fn *main, int argc, char **argv, main_fn *init, void (*fini)(void),
		      void (*linker_fini)(void), void *stack_end);
#pragma GCC visibility pop
int old_start_main(main_fn *main, int argc, char **argv, constructor_fn *init, void (*fini)(void),
		   void (*linker_fini)(void), void *stack_end);
#if defined(__x86_64__)
__asm__(".symver old_start_main, __libc_start_main@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver old_start_main, __libc_start_main@GLIBC_2.17");
#endif

static void construct(int argc, char **argv, char **envp)
{
	for (constructor_fn **f = __preinit_array_start; f < __preinit_array_end; f++)
		(*f)(argc, argv, envp);
	for (constructor_fn **f = __init_array_start; f < __init_array_end; f++)
		(*f)(argc, argv, envp);
}

int __libc_start_main(main_fn *main, int argc, char **argv, main_fn *init, void (*fini)(void),
		      void (*linker_fini)(void), void *stack_end)
{
	(void)init;
	return old_start_main(main, argc, argv, construct, fini, linker_fini, stack_end);
}
